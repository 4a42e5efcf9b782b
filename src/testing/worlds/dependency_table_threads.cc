// The tables of what threads synchronise by, and of threads, processes and signals.
#include <signal.h>

#include "testing/worlds/dependency_stage.h"
#include "testing/worlds/dependency_tables.h"

namespace mazurka {

std::string mutex_table() {
  Stage stage("mutex");
  stage.make(kX, ObjectKind::Mutex).mutex.type = MutexType::ErrorCheck;
  stage.row("lock, try or timed lock that gets it", kA, on(OpKind::MutexLock));
  stage.row("unlock that is refused", kA, on(OpKind::MutexUnlock));
  stage.row("destroy", kA, on(OpKind::MutexDestroy));
  stage.row("make consistent", kA, on(OpKind::MutexConsistent));
  stage.act(kB, on(OpKind::MutexLock));
  stage.row("try or timed lock that fails", kA, on(OpKind::MutexLock, kTry));
  stage.row("unlock", kB, on(OpKind::MutexUnlock));
  return stage.finish();
}

std::string condition_table() {
  Stage stage("condition", "mutex");
  stage.make(kX, ObjectKind::Condition);
  stage.make(kY, ObjectKind::Mutex);
  const Operation lock{.kind = OpKind::MutexLock, .object = kY};
  const Operation wait{.kind = OpKind::CondWait, .object = kX, .second = kY};
  stage.row("signal that wakes nobody", kA, on(OpKind::CondSignal));
  stage.row("broadcast that wakes nobody", kA, on(OpKind::CondBroadcast));
  stage.row("destroy", kA, on(OpKind::CondDestroy));
  stage.act(kB, lock);
  stage.row("wait begins", kB, wait);
  stage.act(kB, wait);
  stage.row("signal that wakes the waiter", kA, on(OpKind::CondSignal));
  stage.row("broadcast that wakes the waiter", kA, on(OpKind::CondBroadcast));
  Operation wake = wait;
  wake.kind = OpKind::CondWake;
  stage.row("timed waiter goes on", kB, wake);
  stage.act(kA, on(OpKind::CondSignal));
  Operation reacquire = wait;
  reacquire.kind = OpKind::CondReacquire;
  stage.row("waiter goes on and takes the mutex", kB, reacquire);
  stage.row("lock of the mutex", kA, lock);
  return stage.finish();
}

std::string rwlock_table() {
  Stage stage("lock");
  stage.make(kX, ObjectKind::RwLock);
  stage.row("read lock that gets it", kA, on(OpKind::ReadLock));
  stage.row("write lock that gets it", kA, on(OpKind::WriteLock));
  stage.row("destroy", kA, on(OpKind::RwDestroy));
  stage.act(kB, on(OpKind::ReadLock));
  stage.row("unlock of a reader", kB, on(OpKind::RwUnlock));
  stage.row("write lock that fails", kA, on(OpKind::WriteLock, kTry));
  stage.act(kB, on(OpKind::RwUnlock));
  stage.act(kB, on(OpKind::WriteLock));
  stage.row("unlock of a writer", kB, on(OpKind::RwUnlock));
  stage.row("read lock that fails", kA, on(OpKind::ReadLock, kTry));
  return stage.finish();
}

std::string barrier_table() {
  Stage stage("barrier");
  stage.make(kX, ObjectKind::Barrier).barrier.count = 2;
  stage.row("arrive, not the last", kB, on(OpKind::BarrierArrive));
  stage.row("destroy", kA, on(OpKind::BarrierDestroy));
  stage.act(kB, on(OpKind::BarrierArrive));
  stage.row("arrive, the last of its round", kA, on(OpKind::BarrierArrive));
  stage.act(kA, on(OpKind::BarrierArrive));
  stage.row("leave", kB, on(OpKind::BarrierLeave));
  return stage.finish();
}

std::string semaphore_table() {
  Stage stage("semaphore");
  Semaphore& semaphore = stage.make(kX, ObjectKind::Semaphore).semaphore;
  stage.row("try or timed wait that fails", kA, on(OpKind::SemWait, kTry));
  semaphore.value = 1;
  stage.row("wait, try or timed wait that gets it", kA, on(OpKind::SemWait));
  stage.row("post", kA, on(OpKind::SemPost));
  stage.row("get value", kA, on(OpKind::SemGetValue));
  stage.row("destroy", kA, on(OpKind::SemDestroy));
  return stage.finish();
}

std::string sem_set_table() {
  Stage stage("set", "semaphore");
  stage.make(kX, ObjectKind::SemSet);
  stage.make(kY, ObjectKind::Semaphore);
  World& world = stage.world();
  const auto with = [&](OpKind kind, int32_t delta, bool undo) {
    Operation op = on(kind);
    op.part_begin = world.part_count;
    op.part_count = 1;
    world.parts[world.part_count++] = {kY, delta, true, undo, 0};
    return op;
  };
  stage.row("semop that waits for zero", kA, with(OpKind::Semop, 0, false));
  stage.row("semop that fails or times out", kA, with(OpKind::Semop, -1, false));
  stage.row("semop that only adds", kA, with(OpKind::Semop, 1, false));
  world.object(kY).semaphore.value = 1;
  stage.row("semop that takes", kA, with(OpKind::Semop, -1, false));
  stage.row("semop that takes, with SEM_UNDO", kA, with(OpKind::Semop, -1, true));
  stage.row("SETVAL", kA, with(OpKind::SemctlSet, 1, false));
  stage.row("GETVAL", kA, with(OpKind::SemctlGet, 0, false));
  stage.row("IPC_RMID", kA, on(OpKind::SemctlRemove));
  return stage.finish();
}

std::string name_table() {
  Stage stage("name");
  Named& name = stage.make(kX, ObjectKind::Named).named;
  Operation make = on(OpKind::NameOpen);
  make.value = kCreate;
  stage.row("open that makes it", kA, make);
  stage.row("open or unlink that fails", kA, on(OpKind::NameUnlink));
  name.exists = true;
  stage.row("open that finds it", kA, make);
  stage.row("unlink", kA, on(OpKind::NameUnlink));
  return stage.finish();
}

std::string generator_table() {
  Stage stage("random numbers");
  stage.make(kX, ObjectKind::Generator);
  stage.row("draw", kA, on(OpKind::GeneratorDraw));
  stage.row("seed", kA, on(OpKind::GeneratorSeed));
  return stage.finish();
}

std::string once_table() {
  Stage stage("once");
  Once& once = stage.make(kX, ObjectKind::Once).once;
  stage.row("begin, the one who runs it", kA, on(OpKind::OnceBegin));
  stage.row("end", kA, on(OpKind::OnceEnd));
  once.state = Once::State::Done;
  stage.row("begin, done already", kA, on(OpKind::OnceBegin));
  return stage.finish();
}

std::string variable_table() {
  Stage stage("variable");
  stage.make(kX, ObjectKind::Variable);
  Operation fails = on(OpKind::VarCompareExchange);
  fails.value = 1;
  stage.row("load", kA, on(OpKind::VarLoad));
  stage.row("compare-exchange that fails", kA, fails);
  stage.row("store", kA, on(OpKind::VarStore));
  stage.row("update (exchange, fetch-add, ...)", kA, on(OpKind::VarUpdate));
  stage.row("compare-exchange that writes", kA, on(OpKind::VarCompareExchange));
  return stage.finish();
}

std::string futex_table() {
  Stage stage("futex");
  stage.make(kX, ObjectKind::Futex);
  Operation wake = on(OpKind::FutexWake);
  wake.value = 1;
  stage.row("wait begins", kB, on(OpKind::FutexWait));
  stage.row("wake that wakes nobody", kA, wake);
  stage.act(kB, on(OpKind::FutexWait));
  stage.row("wake that wakes the waiter", kA, wake);
  stage.row("timed waiter goes on", kB, on(OpKind::FutexBlocked, kTimed));
  stage.act(kA, wake);
  stage.row("waiter goes on", kB, on(OpKind::FutexBlocked));
  return stage.finish();
}

std::string event_table() {
  Stage stage("event");
  stage.make(kX, ObjectKind::Event);
  stage.row("event", kA, on(OpKind::Event));
  stage.row("event, of the child", kChild, on(OpKind::Event));
  stage.row("toss", kB, {.kind = OpKind::Toss});
  return stage.finish();
}

// The child's threads and the other thread of the process are "the other".
std::string process_table() {
  Stage stage("thread or process");
  stage.row("toss, also as the last operation", kB, {.kind = OpKind::Toss});
  stage.row("join that fails or times out", kA,
            {.kind = OpKind::Join, .flags = kTry, .target = kB});
  stage.row("wait that finds no child ended", kA, {.kind = OpKind::WaitChild, .flags = kTry});
  stage.row("toss, of the child", kChild, {.kind = OpKind::Toss});
  stage.row("end of the child", kChild, {.kind = OpKind::ProcessEnd});
  stage.row("noticed exit of a thread", kB, {.kind = OpKind::ThreadExit});
  stage.row("fork", kA, {.kind = OpKind::Fork});
  stage.row("exec", kA, {.kind = OpKind::Exec});
  stage.row("end of the process", kA, {.kind = OpKind::ProcessEnd});
  stage.world().moves = 1;
  stage.row("pause", kA, {.kind = OpKind::Pause});
  stage.row("wait for others", kA, {.kind = OpKind::WaitForOthers});
  stand_at_exit(stage.world(), kB, 0);
  stage.row("join", kA, {.kind = OpKind::Join, .target = kB});
  stand_at_exit(stage.world(), kChild, 0);
  stage.row("wait for this child", kA, {.kind = OpKind::WaitChild, .target = kChild});
  stage.row("wait for any child", kA, {.kind = OpKind::WaitChild});
  return stage.finish();
}

std::string signal_table_of_accesses() {
  Stage stage("signal");
  const Operation to_process{.kind = OpKind::SignalSend, .target = kA, .value = SIGUSR1};
  const Operation to_thread{
      .kind = OpKind::SignalSend, .flags = kToThread, .target = kB, .value = SIGUSR1};
  const Operation toss{.kind = OpKind::Toss};
  stage.row("toss, and nothing to take", kB, toss);
  stage.row("send to the process", kChild, to_process);
  stage.row("send to the other thread", kA, to_thread);
  stage.row("set an action", kA,
            {.kind = OpKind::SignalAction, .flags = kHandles, .value = SIGUSR1});
  stage.row("set a mask", kA, {.kind = OpKind::SignalMask, .value = 1});
  stage.row("look at what is pending", kA, {.kind = OpKind::SignalLook});
  stage.row("wait for a signal", kA, {.kind = OpKind::SignalWait, .flags = kTry, .value = 1});
  stage.act(kA, {.kind = OpKind::SignalAction, .flags = kHandles, .value = SIGUSR1});
  stage.act(kA, to_thread);
  stage.row("toss, and one of its own to take", kB, toss);
  stage.act(kChild, to_process);
  stage.row("toss, and one of the process to take", kA, toss);
  return stage.finish();
}

}  // namespace mazurka
