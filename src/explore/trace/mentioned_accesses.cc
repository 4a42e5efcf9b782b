#include "explore/trace/mentioned_accesses.h"

#include "objects/object_accesses.h"

namespace mazurka {
namespace {

struct Mentioned {
  const Operation& op;
  const std::vector<SemPart>& parts;
  ThreadId thread;
  ProcessId process;

  bool add_to(AccessMask& mask) const;
  void add_variables(AccessMask& mask, Mode mode) const;
  bool add_mutex_or_condition(AccessMask& mask) const;
  bool add_lock_or_barrier(AccessMask& mask) const;
  bool add_semaphore(AccessMask& mask) const;
  bool add_file_use(AccessMask& mask) const;
};

bool Mentioned::add_to(AccessMask& mask) const {
  switch (op.kind) {
    case OpKind::Toss:
      return true;
    case OpKind::Join:
      mask.add(thread_resource(op.target), Mode::Write);
      return true;
    case OpKind::OnceBegin:
    case OpKind::OnceEnd:
      mask.add(object_resource(op.object), Mode::Write);
      return true;
    case OpKind::VarLoad:
      add_variables(mask, Mode::Read);
      return true;
    case OpKind::VarStore:
    case OpKind::VarUpdate:
    case OpKind::VarCompareExchange:
      add_variables(mask, Mode::Write);
      return true;
    case OpKind::FileUse:
      return add_file_use(mask);
    default:
      return add_mutex_or_condition(mask) || add_lock_or_barrier(mask) || add_semaphore(mask);
  }
}

void Mentioned::add_variables(AccessMask& mask, Mode mode) const {
  mask.add(object_resource(op.object), mode);
  for (const SemPart& part : parts) {
    mask.add(object_resource(part.semaphore), part.undo != 0 ? mode : Mode::Read);
  }
}

bool Mentioned::add_mutex_or_condition(AccessMask& mask) const {
  switch (op.kind) {
    case OpKind::MutexLock:
    case OpKind::MutexUnlock:
    case OpKind::MutexConsistent:
      mask.add(object_resource(op.object), Mode::Write);
      return true;
    case OpKind::CondWait:
      mask.add(object_resource(op.object), Mode::Write);
      mask.add(object_resource(op.second), Mode::Write);
      return true;
    case OpKind::CondReacquire:
      mask.add(object_resource(op.second), Mode::Write);
      mask.add(wake_resource(thread), Mode::Read);
      return true;
    case OpKind::CondWake:
    case OpKind::FutexBlocked:
      mask.add(object_resource(op.object), Mode::Write);
      mask.add(wake_resource(thread), Mode::Read);
      return true;
    case OpKind::FutexWait:
      mask.add(object_resource(op.object), Mode::Write);
      if (op.second != kNoObject) mask.add(object_resource(op.second), Mode::Read);
      return true;
    case OpKind::CondSignal:
    case OpKind::CondBroadcast:
    case OpKind::FutexWake:
      mask.add(object_resource(op.object), Mode::Write);
      mask.changes |= kAllWakes;
      return true;
    default:
      return false;
  }
}

bool Mentioned::add_lock_or_barrier(AccessMask& mask) const {
  switch (op.kind) {
    case OpKind::ReadLock:
      mask.add(object_resource(op.object), Mode::Read);
      mask.add(object_resource(op.object, kReaders), Mode::Add);
      return true;
    case OpKind::WriteLock:
      mask.add(object_resource(op.object), Mode::Write);
      mask.add(object_resource(op.object, kReaders), Mode::Read);
      return true;
    case OpKind::RwUnlock:
      mask.add(object_resource(op.object), Mode::Write);
      mask.add(object_resource(op.object, kReaders), Mode::Add);
      return true;
    case OpKind::BarrierArrive:
      mask.add(object_resource(op.object), Mode::Write);
      mask.changes |= kAllWakes;
      return true;
    case OpKind::BarrierLeave:
      mask.add(wake_resource(thread), Mode::Read);
      return true;
    default:
      return false;
  }
}

bool Mentioned::add_semaphore(AccessMask& mask) const {
  switch (op.kind) {
    case OpKind::SemWait:
    case OpKind::SemPost:
      mask.add(object_resource(op.object), Mode::Write);
      return true;
    case OpKind::SemGetValue:
      mask.add(object_resource(op.object), Mode::Read);
      return true;
    case OpKind::Semop:
      mask.add(object_resource(op.object), Mode::Read);
      for (const SemPart& part : parts) {
        mask.add(object_resource(part.semaphore), Mode::Write);
        if (part.undo != 0) mask.add(process_resource(process, kLife), Mode::Write);
      }
      return true;
    default:
      return false;
  }
}

// What is behind a name does not follow from the name.
bool Mentioned::add_file_use(AccessMask& mask) const {
  if (parts.size() > kMaxFileParts) return false;
  for (const SemPart& part : parts) {
    if (is_behind_name(part)) return false;
    Access items[2];
    AccessList its{items, 2};
    possible_part_accesses(part, process, its);
    for (uint32_t i = 0; i < its.count; ++i) mask.add(items[i].resource, items[i].mode);
  }
  return true;
}

}  // namespace

bool add_mentioned(const Operation& op, const std::vector<SemPart>& parts, ThreadId thread,
                   ProcessId process, AccessMask& mask) {
  return Mentioned{op, parts, thread, process}.add_to(mask);
}

bool has_sure_access(const Operation& op, SureAccess& out) {
  switch (op.kind) {
    case OpKind::VarStore:
    case OpKind::VarUpdate:
      out = {object_resource(op.object), Mode::Write};
      return true;
    case OpKind::VarLoad:
    case OpKind::VarCompareExchange:
    case OpKind::MutexLock:
    case OpKind::MutexUnlock:
    case OpKind::ReadLock:
    case OpKind::WriteLock:
    case OpKind::RwUnlock:
    case OpKind::SemWait:
    case OpKind::SemPost:
    case OpKind::SemGetValue:
    case OpKind::OnceBegin:
    case OpKind::OnceEnd:
      out = {object_resource(op.object), Mode::Read};
      return true;
    default:
      return false;
  }
}

uint64_t disabling_bits(const Operation& op, const std::vector<SemPart>& parts) {
  const auto bit = [](ObjectId object, uint8_t part = kWhole) {
    return AccessMask::bit_of(object_resource(object, part));
  };
  switch (op.kind) {
    case OpKind::Join:
    case OpKind::BarrierLeave:
    case OpKind::FutexBlocked:
    case OpKind::VarLoad:  // one that spins in vain: what has changed has changed
    case OpKind::VarStore:
    case OpKind::VarUpdate:
    case OpKind::VarCompareExchange:
      return 0;
    case OpKind::MutexLock:
    case OpKind::SemWait:
    case OpKind::OnceBegin:
      return bit(op.object);
    case OpKind::CondReacquire:
      return bit(op.second);
    case OpKind::ReadLock:
    case OpKind::WriteLock:
      return bit(op.object) | bit(op.object, kReaders);
    case OpKind::Semop: {
      uint64_t bits = bit(op.object);
      for (const SemPart& part : parts) bits |= bit(part.semaphore);
      return bits;
    }
    default:
      return UINT64_MAX;
  }
}

}  // namespace mazurka
