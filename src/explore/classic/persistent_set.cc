#include "explore/classic/persistent_set.h"

#include "objects/choices.h"
#include "objects/op_table.h"

namespace mazurka {

void PersistentSets::read(const StateReplay& state) {
  state_ = &state;
  const World& world = state.world();
  is_there_.assign(world.thread_limit, false);
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    is_there_[i] = world.threads[i].status != ThreadStatus::Absent;
  }
}

void PersistentSets::add(ThreadId id) {
  if (is_member(id) || state_->pending(id) == nullptr) return;
  member_[index(id)] = true;
  threads_.push_back(id);
}

const std::vector<ThreadId>& PersistentSets::close(ThreadId first) {
  const World& world = state_->world();
  member_.assign(world.thread_limit, false);
  threads_.clear();
  add(first);
  Access items[kMaxStepAccesses];
  for (size_t i = 0; i < threads_.size(); ++i) {
    const ThreadId member = threads_[i];
    const Operation& op = *state_->pending(member);
    if (stands_at_bound(world.thread(member), bound_)) continue;  // it never moves again
    if (!enabled(world, member, op).any()) {
      add_enablers(member, op);
      continue;
    }
    AccessList accesses{items, kMaxStepAccesses};
    if (!footprints_.add_next(world, member, op, accesses)) {
      possible_accesses(world, member, op, accesses);
    }
    // Its invisible code may begin to wait for whatever moves next.
    const Access moves = {moves_resource(), Mode::Add, {}};
    if (footprints_.conflicts(member, world.thread(member).transitions, moves, is_there_)) {
      accesses.add(moves.resource, Mode::Write);
    }
    add_conflicting(member, accesses);
  }
  return threads_;
}

// --- of an enabled member

void PersistentSets::add_conflicting(ThreadId member, const AccessList& accesses) {
  for (uint32_t i = 0; i < state_->thread_limit(); ++i) {
    const ThreadId other{static_cast<uint16_t>(i)};
    if (is_member(other) || state_->pending(other) == nullptr) continue;
    bool conflicts = accesses.overflow;
    for (uint32_t j = 0; j < accesses.count && !conflicts; ++j) {
      conflicts = may_conflict(other, member, accesses.items[j]);
    }
    if (conflicts) add(other);
  }
}

bool PersistentSets::may_conflict(ThreadId other, ThreadId member, const Access& access) const {
  const ThreadState& state = state_->world().thread(other);
  if (stands_at_bound(state, bound_)) return false;
  if (footprints_.conflicts(other, state.transitions, access, is_there_)) return true;
  // Of a life, also those count that wait for its end; but not for the end of the member itself,
  // which does not come before the member has moved.
  if (access.resource.kind != Resource::Kind::Thread || access.resource.index == index(member)) {
    return false;
  }
  Access awaited = access;
  awaited.resource.part = kAwaited;
  return footprints_.conflicts(other, state.transitions, awaited, is_there_);
}

// --- of a disabled member

void PersistentSets::add_enablers(ThreadId member, const Operation& op) {
  if (footprints_.has_signals()) add_who_may_signal(member);
  if (add_known_enablers(member, op)) return;
  Access items[kMaxStepAccesses];
  AccessList accesses{items, kMaxStepAccesses};
  possible_accesses(state_->world(), member, op, accesses);
  add_conflicting(member, accesses);
}

// False if nobody knows who they are.
bool PersistentSets::add_known_enablers(ThreadId member, const Operation& op) {
  const bool sleeps = !state_->world().thread(member).woken;
  switch (row_of(op.kind).awaits) {
    case Awaits::End:
      add(op.target);
      return true;
    case Awaits::Mutex:
      return add_owner(member, op.object);
    case Awaits::WakeAndMutex:
      if (!sleeps) return add_owner(member, op.second);
      add_who_may({wake_resource(member), Mode::Read, {}});
      return true;
    case Awaits::Wake:
      add_who_may({wake_resource(member), Mode::Read, {}});
      return true;
    case Awaits::Anything:
    case Awaits::ChildEnd:
    case Awaits::Once:
    case Awaits::Writer:
    case Awaits::Holders:
      return false;
  }
  return false;
}

// A robust mutex may also come free when its owner's process ends.
bool PersistentSets::add_owner(ThreadId member, ObjectId id) {
  const Mutex& mutex = state_->world().object(id).mutex;
  if (mutex.robust || !mutex.locked()) return false;
  if (mutex.owner != member) add(mutex.owner);
  return true;
}

void PersistentSets::add_who_may_signal(ThreadId member) {
  add_who_may({process_resource(state_->world().thread(member).process, kLife), Mode::Read, {}});
  add_who_may({thread_resource(member), Mode::Add, {}});
}

void PersistentSets::add_who_may(const Access& access) {
  for (uint32_t i = 0; i < state_->thread_limit(); ++i) {
    const ThreadId other{static_cast<uint16_t>(i)};
    if (is_member(other) || state_->pending(other) == nullptr) continue;
    if (may_conflict(other, kNoThread, access)) add(other);
  }
}

}  // namespace mazurka
