#include "objects/misuse.h"

#include "objects/clock.h"
#include "objects/world.h"

namespace mazurka {
namespace {

Misuse of_object(const World& world, ObjectId id, ObjectKind wanted) {
  if (id == kNoObject || world.object(id).kind != wanted) return Misuse::NotInitialised;
  return world.object(id).destroyed ? Misuse::Destroyed : Misuse::None;
}

Misuse of_join(const World& world, const Operation& op) {
  if (index(op.target) >= world.thread_limit) return Misuse::BadThread;
  const ThreadState& target = world.thread(op.target);
  if (target.status == ThreadStatus::Absent) return Misuse::BadThread;
  return target.joined || target.detached ? Misuse::JoinTwice : Misuse::None;
}

Misuse of_mutex(const World& world, ThreadId thread, const Operation& op) {
  const Misuse misuse = of_object(world, op.object, ObjectKind::Mutex);
  if (misuse != Misuse::None) return misuse;
  const Mutex& mutex = world.object(op.object).mutex;
  if (op.kind == OpKind::MutexDestroy && mutex.locked()) return Misuse::DestroyBusy;
  const bool undefined = mutex.owner != thread && !mutex.checks_owner();
  return op.kind == OpKind::MutexUnlock && undefined ? Misuse::UnlockNotOwned : Misuse::None;
}

Misuse of_condition_wait(const World& world, ThreadId thread, const Operation& op) {
  const Misuse of_mutex = of_object(world, op.second, ObjectKind::Mutex);
  if (of_mutex != Misuse::None) return of_mutex;
  const Mutex& mutex = world.object(op.second).mutex;
  if (mutex.owner != thread) return mutex.checks_owner() ? Misuse::None : Misuse::WaitNotOwned;
  const bool other = world.object(op.object).condition.mutex != op.second;
  return other && has_waiters(world, op.object) ? Misuse::TwoMutexes : Misuse::None;
}

Misuse of_condition(const World& world, ThreadId thread, const Operation& op) {
  const Misuse misuse = of_object(world, op.object, ObjectKind::Condition);
  if (misuse != Misuse::None) return misuse;
  if (op.kind == OpKind::CondWait) return of_condition_wait(world, thread, op);
  const bool busy = op.kind == OpKind::CondDestroy && has_waiters(world, op.object);
  return busy ? Misuse::DestroyBusy : Misuse::None;
}

Misuse of_rwlock(const World& world, ThreadId thread, const Operation& op) {
  const Misuse misuse = of_object(world, op.object, ObjectKind::RwLock);
  if (misuse != Misuse::None) return misuse;
  const RwLock& lock = world.object(op.object).rwlock;
  if (op.kind == OpKind::RwDestroy && lock.held()) return Misuse::DestroyBusy;
  const bool held = lock.writer == thread || lock.reads(thread) || lock.unknown_holds > 0;
  return op.kind == OpKind::RwUnlock && !held ? Misuse::UnlockNotOwned : Misuse::None;
}

Misuse of_barrier(const World& world, const Operation& op) {
  const Misuse misuse = of_object(world, op.object, ObjectKind::Barrier);
  if (misuse != Misuse::None) return misuse;
  const bool busy =
      op.kind == OpKind::BarrierDestroy && world.object(op.object).barrier.arrived > 0;
  return busy ? Misuse::DestroyBusy : Misuse::None;
}

// A removed set is an error, not a misuse.
// What was removed is an error, not a misuse.
Misuse of_removable(const World& world, const Operation& op, ObjectKind kind) {
  const Misuse misuse = of_object(world, op.object, kind);
  return misuse == Misuse::Destroyed ? Misuse::None : misuse;
}

}  // namespace

Misuse foretell_misuse(const World& world, ThreadId thread, const Operation& op) {
  switch (op.kind) {
    case OpKind::Join:
      return of_join(world, op);
    case OpKind::MutexLock:
    case OpKind::MutexUnlock:
    case OpKind::MutexDestroy:
    case OpKind::MutexConsistent:
      return of_mutex(world, thread, op);
    case OpKind::CondWait:
    case OpKind::CondSignal:
    case OpKind::CondBroadcast:
    case OpKind::CondDestroy:
      return of_condition(world, thread, op);
    case OpKind::CondReacquire:
      return of_object(world, op.second, ObjectKind::Mutex);
    case OpKind::ReadLock:
    case OpKind::WriteLock:
    case OpKind::RwUnlock:
    case OpKind::RwDestroy:
      return of_rwlock(world, thread, op);
    case OpKind::BarrierArrive:
    case OpKind::BarrierDestroy:
      return of_barrier(world, op);
    case OpKind::SemWait:
    case OpKind::SemPost:
    case OpKind::SemGetValue:
    case OpKind::SemDestroy:
      return of_object(world, op.object, ObjectKind::Semaphore);
    case OpKind::Semop:
    case OpKind::SemctlSet:
    case OpKind::SemctlGet:
    case OpKind::SemctlRemove:
      return of_removable(world, op, ObjectKind::SemSet);
    case OpKind::NameOpen:
    case OpKind::NameUnlink:
      return of_object(world, op.object, ObjectKind::Named);
    case OpKind::OnceBegin:
    case OpKind::OnceEnd:
      return of_object(world, op.object, ObjectKind::Once);
    case OpKind::FutexWait:
    case OpKind::FutexWake:
      return of_object(world, op.object, ObjectKind::Futex);
    case OpKind::VarLoad:
    case OpKind::VarStore:
    case OpKind::VarUpdate:
    case OpKind::VarCompareExchange:
      return of_object(world, op.object, ObjectKind::Variable);
    case OpKind::ChannelRead:
    case OpKind::ChannelWrite:
      return of_object(world, op.object, ObjectKind::Channel);
    case OpKind::DescriptionOpen:
    case OpKind::DescriptionClose:
    case OpKind::DescriptionSet:
      return of_object(world, op.object, ObjectKind::Description);
    case OpKind::QueueSend:
    case OpKind::QueueReceive:
    case OpKind::QueueGet:
    case OpKind::QueueSet:
    case OpKind::QueueRemove:
      return of_removable(world, op, ObjectKind::Queue);
    case OpKind::TimerRead:
    case OpKind::TimerSet:
    case OpKind::TimerGet:
      return of_object(world, op.object, ObjectKind::Timer);
    case OpKind::SocketBind:
    case OpKind::SocketConnect:
    case OpKind::DatagramSend:
    case OpKind::AddressLook:
    case OpKind::AddressUnlink:
    case OpKind::FifoMake:
    case OpKind::FifoOpen:
      return of_object(world, op.object, ObjectKind::Address);
    case OpKind::FileLock:
    case OpKind::FileUnlock:
    case OpKind::FileLook:
    case OpKind::FileForget:
      return of_object(world, op.object, ObjectKind::File);
    case OpKind::SocketListen:
      return of_object(world, op.object, ObjectKind::Description);
    case OpKind::SocketAccept:
    case OpKind::FifoWait:
      return of_object(world, op.object, ObjectKind::Channel);
    case OpKind::Event:
      return of_object(world, op.object, ObjectKind::Event);
    default:
      return Misuse::None;
  }
}

}  // namespace mazurka
