#include "testing/scripts/random_objects.h"

#include <errno.h>

namespace mazurka {

void RandomObjects::make() {
  for (uint32_t i = 0; i < out_.in_use; ++i) {
    if (out_.has(kMutexes | kConditions)) mutexes_[i] = out_.script.add(random_mutex());
    if (out_.has(kConditions)) conditions_[i] = out_.script.add({.kind = ObjectKind::Condition});
    if (out_.has(kRwLocks)) rwlocks_[i] = out_.script.add({.kind = ObjectKind::RwLock});
    if (out_.has(kSemaphores)) semaphores_[i] = out_.script.add(random_semaphore());
    if (out_.has(kSemSets)) set_semaphores_[i] = out_.script.add(random_semaphore());
    if (out_.has(kFutexes)) futexes_[i] = out_.script.add({.kind = ObjectKind::Futex});
    if (out_.has(kVariables)) variables_[i] = out_.script.add({.kind = ObjectKind::Variable});
  }
  if (out_.has(kSemSets)) set_ = out_.script.add({.kind = ObjectKind::SemSet});
  if (out_.has(kBarriers))
    barrier_ = out_.script.add({.kind = ObjectKind::Barrier, .value = 1 + out_.dice.below(3)});
  if (out_.has(kNames)) {
    name_ = out_.script.add({.kind = ObjectKind::Named, .value = out_.dice.below(2)});
    generator_ = out_.script.add({.kind = ObjectKind::Generator});
  }
  if (out_.has(kOnces)) once_ = out_.script.add({.kind = ObjectKind::Once});
}

ScriptObject RandomObjects::random_mutex() {
  ScriptObject made{.kind = ObjectKind::Mutex};
  if (out_.dice.one_in(4)) made.mutex_type = static_cast<MutexType>(out_.dice.below(3));
  made.robust = out_.has(kRobust) && out_.dice.one_in(4);
  return made;
}

ScriptObject RandomObjects::random_semaphore() {
  return {.kind = ObjectKind::Semaphore, .value = out_.dice.below(3)};
}

// What is done between a lock and its unlock; without the lock, neither happens. Now and then the
// unlock is forgotten.
void RandomObjects::section(const Operation& lock, const Operation& unlock) {
  out_.operation(lock);
  const uint32_t over = out_.open(Instruction::Test::ErrorIsNot, 0);
  out_.block();
  if (!out_.dice.one_in(12)) out_.operation(unlock);
  out_.close(over);
}

void RandomObjects::mutex_section() {
  const ObjectId m = mutexes_[out_.which()];
  section({.kind = OpKind::MutexLock,
           .flags = out_.random_flags(),
           .object = m,
           .deadline_ns = kDeadlineNs},
          {.kind = OpKind::MutexUnlock, .object = m});
  if (out_.has(kRobust) && out_.dice.one_in(6))
    out_.operation({.kind = OpKind::MutexConsistent, .object = m});
}

void RandomObjects::rwlock_section() {
  const ObjectId l = rwlocks_[out_.which()];
  const OpKind kind = out_.dice.one_in(2) ? OpKind::ReadLock : OpKind::WriteLock;
  section({.kind = kind, .flags = out_.random_flags(), .object = l, .deadline_ns = kDeadlineNs},
          {.kind = OpKind::RwUnlock, .object = l});
}

void RandomObjects::condition_wait() {
  const uint32_t i = out_.which();
  const ObjectId cv = conditions_[i];
  const ObjectId m = mutexes_[i];
  const bool timed = out_.random_flags() != 0;
  out_.operation({.kind = OpKind::MutexLock, .object = m});
  out_.block();
  const uint32_t never = wake_for_no_reason(cv, m);
  out_.operation(
      {.kind = OpKind::CondWait, .flags = flag_if(kTimed, timed), .object = cv, .second = m});
  const uint32_t over = out_.open(Instruction::Test::ErrorIsNot, 0);
  if (timed) {
    out_.operation({.kind = OpKind::CondWake,
                    .flags = kTimed,
                    .object = cv,
                    .second = m,
                    .deadline_ns = kDeadlineNs});
    out_.maybe_branch(Instruction::Test::ErrorIs, ETIMEDOUT);
    out_.operation({.kind = OpKind::MutexLock, .object = m});
  } else {
    out_.operation({.kind = OpKind::CondReacquire, .object = cv, .second = m});
  }
  out_.close(over);
  if (never != 0) out_.close(never);
  out_.operation({.kind = OpKind::MutexUnlock, .object = m});
}

// As with --spurious (runtime/sync/spurious.h). A branch over the wait that does not happen then,
// to be closed behind it; 0: there is none.
uint32_t RandomObjects::wake_for_no_reason(ObjectId condition, ObjectId mutex) {
  if (!out_.dice.one_in(4)) return 0;
  out_.operation({.kind = OpKind::Toss, .flags = kForNoReason, .object = condition, .value = 1});
  const uint32_t waits = out_.open(Instruction::Test::ValueIs, 0);
  out_.operation({.kind = OpKind::MutexUnlock, .object = mutex});
  out_.operation({.kind = OpKind::MutexLock, .object = mutex});
  const uint32_t behind = out_.open(Instruction::Test::Always, 0);
  out_.close(waits);
  return behind;
}

void RandomObjects::condition_signal() {
  const OpKind kind = out_.dice.one_in(3) ? OpKind::CondBroadcast : OpKind::CondSignal;
  out_.operation({.kind = kind, .object = conditions_[out_.which()]});
}

void RandomObjects::barrier_wait() {
  out_.operation({.kind = OpKind::BarrierArrive, .object = barrier_});
  out_.operation({.kind = OpKind::BarrierLeave, .object = barrier_});
  out_.body->back().takes_value = true;
  out_.maybe_branch(Instruction::Test::ValueIs, 1);
}

void RandomObjects::semaphore_operation() {
  const ObjectId s = semaphores_[out_.which()];
  const uint32_t chosen = out_.dice.below(8);
  if (chosen < 3) return out_.operation({.kind = OpKind::SemPost, .object = s});
  if (chosen == 3) {
    out_.operation({.kind = OpKind::SemGetValue, .object = s});
    return out_.maybe_branch(Instruction::Test::ValueIs, 0);
  }
  const uint8_t flags = out_.random_flags();
  out_.operation(
      {.kind = OpKind::SemWait, .flags = flags, .object = s, .deadline_ns = kDeadlineNs});
  if (flags != 0) out_.maybe_branch(Instruction::Test::ErrorIsNot, 0);
}

OpPart RandomObjects::random_part() {
  OpPart part = semaphore_part(set_semaphores_[out_.which()], 0);
  part.sem.delta = out_.dice.one_in(6) ? 0 : out_.dice.one_in(2) ? 1 : -1;
  part.sem.no_wait = out_.has(kTries) && out_.dice.one_in(6);
  part.sem.undo = out_.has(kRobust) && out_.dice.one_in(6);
  return part;
}

void RandomObjects::sem_set_operation() {
  const uint32_t chosen = out_.dice.below(16);
  if (chosen == 0) return out_.operation({.kind = OpKind::SemctlRemove, .object = set_});
  if (chosen == 1) {
    out_.operation(
        out_.script.with_parts({.kind = OpKind::SemctlGet, .object = set_}, {random_part()}));
    return out_.maybe_branch(Instruction::Test::ValueIs, 0);
  }
  if (chosen == 2) {
    OpPart part = random_part();
    part.sem.delta = static_cast<int32_t>(out_.dice.below(3));
    return out_.operation(
        out_.script.with_parts({.kind = OpKind::SemctlSet, .object = set_}, {part}));
  }
  std::vector<OpPart> parts{random_part()};
  if (out_.dice.one_in(4)) parts.push_back(random_part());
  const uint8_t flags = flag_if(kTimed, out_.random_flags() == kTimed);
  out_.operation(out_.script.with_parts(
      {.kind = OpKind::Semop, .flags = flags, .object = set_, .deadline_ns = kDeadlineNs}, parts));
  out_.maybe_branch(Instruction::Test::ErrorIs, EAGAIN);
}

void RandomObjects::name_operation() {
  if (out_.dice.one_in(3)) return out_.operation({.kind = OpKind::NameUnlink, .object = name_});
  out_.operation({.kind = OpKind::NameOpen, .object = name_, .value = out_.dice.below(4)});
  out_.maybe_branch(Instruction::Test::ErrorIsNot, 0);
}

void RandomObjects::generator_operation() {
  if (out_.dice.one_in(4))
    return out_.operation({.kind = OpKind::GeneratorSeed, .object = generator_, .value = 3});
  out_.operation({.kind = OpKind::GeneratorDraw, .object = generator_});
  out_.maybe_branch(Instruction::Test::ValueIs, 1);
}

void RandomObjects::once_section() {
  out_.operation({.kind = OpKind::OnceBegin, .object = once_});
  const uint32_t over = out_.open(Instruction::Test::ErrorIsNot, EAGAIN);
  out_.block();
  out_.operation({.kind = OpKind::OnceEnd, .object = once_, .value = out_.dice.one_in(4) ? 0 : 1});
  out_.close(over);
}

void RandomObjects::futex_wait() {
  const ObjectId f = futexes_[out_.which()];
  const uint8_t flags = flag_if(kTimed, out_.random_flags() != 0);
  out_.operation({.kind = OpKind::FutexWait, .object = f});
  out_.operation(
      {.kind = OpKind::FutexBlocked, .flags = flags, .object = f, .deadline_ns = kDeadlineNs});
  if (flags != 0) out_.maybe_branch(Instruction::Test::ErrorIs, ETIMEDOUT);
}

void RandomObjects::futex_wake() {
  constexpr int64_t kHowMany[] = {1, 1, 2, INT32_MAX};
  out_.operation({.kind = OpKind::FutexWake,
                  .object = futexes_[out_.which()],
                  .value = kHowMany[out_.dice.below(4)]});
}

// Few values, so that a compare-exchange may go either way. What was seen may be written again.
void RandomObjects::variable_operation() {
  Operation op{
      .kind = OpKind::VarLoad, .object = variables_[out_.which()], .value = out_.dice.below(3)};
  const uint32_t chosen = out_.dice.below(6);
  if (chosen < 2) {
    op.value = 0;
    out_.operation(op);
    if (out_.dice.one_in(3)) out_.body->push_back(calculate(0, Instruction::Calculation::Keep));
    return out_.maybe_branch(Instruction::Test::ValueIs, out_.dice.below(2));
  }
  if (chosen == 2) {
    op.kind = OpKind::VarStore;
    out_.operation(op);
    if (out_.dice.one_in(4)) out_.body->back().value_from = 0;
    return;
  }
  if (chosen == 3) {
    op.kind = OpKind::VarUpdate;
    op.update = out_.dice.one_in(2) ? Update::Add : Update::Exchange;
    out_.operation(op);
    return out_.maybe_branch(Instruction::Test::ValueIs, 0);
  }
  op.kind = OpKind::VarCompareExchange;
  op.value = out_.dice.below(2);
  op.desired = out_.dice.below(3);
  out_.operation(op);
  out_.maybe_branch(Instruction::Test::ErrorIsNot, 0);
}

bool RandomObjects::misuse() {
  if (out_.has(kMutexes | kConditions) && out_.dice.one_in(2)) {
    const OpKind kind = out_.dice.one_in(2) ? OpKind::MutexUnlock : OpKind::MutexDestroy;
    out_.operation({.kind = kind, .object = mutexes_[out_.which()]});
    return true;
  }
  if (!out_.has(kSemaphores)) return false;
  out_.operation({.kind = OpKind::SemDestroy, .object = semaphores_[out_.which()]});
  return true;
}

void RandomObjects::handler_operation(bool posts) {
  if (posts && out_.has(kSemaphores))
    return out_.operation({.kind = OpKind::SemPost, .object = semaphores_[out_.which()]});
  if (out_.has(kVariables)) return variable_operation();
  if (out_.has(kMutexes)) return mutex_section();
}

}  // namespace mazurka
