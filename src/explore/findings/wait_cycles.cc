#include "explore/findings/wait_cycles.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "kinds/signals/signals.h"
#include "objects/op_table.h"

namespace mazurka {
namespace {

using Group = std::vector<const ThreadAtEnd*>;
using Edge = std::function<bool(const ThreadAtEnd& waiter, const ThreadAtEnd& holder)>;

// Deadlocks are told already. What did not go as planned, or died, tells nothing for sure. A
// blocked execution is the beginning of another one.
bool can_be_asked(End end) {
  return end == End::Finished || end == End::Bounded || end == End::DepthReached ||
         end == End::Livelock || end == End::Divergence || end == End::Hung;
}

// What a thread must have that waits before the operation; kNoObject for the end of a thread.
ObjectId lock_of(const Operation& op) {
  switch (row_of(op.kind).awaits) {
    case Awaits::Mutex:
    case Awaits::Once:
    case Awaits::Writer:
    case Awaits::Holders:
      return op.object;
    case Awaits::WakeAndMutex:
      return op.second;
    default:
      return kNoObject;
  }
}

ObjectId released_by(const Transition& made) {
  if (made.effect.error != 0 || made.effect.misuse != Misuse::None) return kNoObject;
  const Releases releases = row_of(made.op.kind).releases;
  if (releases == Releases::Nothing) return kNoObject;
  return releases == Releases::SecondMutex ? made.op.second : made.op.object;
}

Group waiting_threads(const Execution& execution) {
  Group waiting;
  for (const ThreadAtEnd& thread : execution.threads) {
    if (!thread.stands_before_operation()) continue;
    const OpRow& row = row_of(thread.pending.kind);
    const bool waits_for_one = row.awaits == Awaits::End || lock_of(thread.pending) != kNoObject;
    if (waits_for_one && row.blocks.holds(thread.pending)) waiting.push_back(&thread);
  }
  return waiting;
}

// --- groups of threads that reach each other

// Without those that nobody waits for, or that wait for nobody: mostly that leaves none.
Group without_ends(Group group, const Edge& edge) {
  const auto is_end = [&](const ThreadAtEnd* one) {
    const auto waits = [&](const ThreadAtEnd* other) { return edge(*one, *other); };
    const auto holds = [&](const ThreadAtEnd* other) { return edge(*other, *one); };
    return std::none_of(group.begin(), group.end(), waits) ||
           std::none_of(group.begin(), group.end(), holds);
  };
  for (;;) {
    Group rest;
    for (const ThreadAtEnd* one : group) {
      if (!is_end(one)) rest.push_back(one);
    }
    if (rest.size() == group.size()) return group;
    group = std::move(rest);
  }
}

std::set<const ThreadAtEnd*> reached_from(const ThreadAtEnd* first, const Group& group,
                                          const Edge& edge) {
  std::set<const ThreadAtEnd*> reached;
  Group open = {first};
  while (!open.empty()) {
    const ThreadAtEnd* one = open.back();
    open.pop_back();
    for (const ThreadAtEnd* other : group) {
      if (edge(*one, *other) && reached.insert(other).second) open.push_back(other);
    }
  }
  return reached;
}

// The strongly connected components that have an edge.
std::vector<Group> components(const Group& group, const Edge& edge) {
  const auto back = [&](const ThreadAtEnd& a, const ThreadAtEnd& b) { return edge(b, a); };
  const Group inner = without_ends(group, edge);
  std::set<const ThreadAtEnd*> done;
  std::vector<Group> found;
  for (const ThreadAtEnd* first : inner) {
    const std::set<const ThreadAtEnd*> after = reached_from(first, inner, edge);
    if (done.count(first) > 0 || after.count(first) == 0) continue;
    const std::set<const ThreadAtEnd*> before = reached_from(first, inner, back);
    Group component;
    for (const ThreadAtEnd* one : inner) {
      if (after.count(one) > 0 && before.count(one) > 0) component.push_back(one);
    }
    done.insert(component.begin(), component.end());
    found.push_back(std::move(component));
  }
  return found;
}

// --- who may hold what, by the log alone

// How often each thread has taken a lock and not released it; failed ones are counted, too.
class MayHold {
 public:
  explicit MayHold(const Execution& execution) {
    for (const Transition& made : execution.transitions) {
      const ObjectId taken = lock_of(made.op);
      if (taken != kNoObject) ++held_[{made.choice.thread, taken}];
      const ObjectId released = released_by(made);
      if (released != kNoObject) --held_[{made.choice.thread, released}];
    }
  }

  bool operator()(const ThreadAtEnd& waiter, const ThreadAtEnd& holder) const {
    const ObjectId lock = lock_of(waiter.pending);
    if (lock == kNoObject) return waiter.pending.target == holder.id;
    // A process has copies of what its creator held.
    if (holder.id == holder.process && holder.id != kMainThread) return true;
    const auto held = held_.find({holder.id, lock});
    return held != held_.end() && held->second > 0;
  }

 private:
  std::map<std::pair<ThreadId, ObjectId>, int> held_;
};

// --- who holds what, in a state

// A robust mutex comes back when its owner is killed; if that is of the waiter's own process, the
// waiter is, too.
bool owns_for_good(const World& world, const Mutex& mutex, ThreadId owner, ThreadId waiter) {
  if (mutex.owner != owner) return false;
  return !mutex.robust || world.thread(owner).process == world.thread(waiter).process;
}

bool is_held_by(const World& world, ThreadId waiter, const Operation& op, ThreadId holder) {
  switch (row_of(op.kind).awaits) {
    case Awaits::End:
      return op.target == holder;
    case Awaits::Mutex:
      return owns_for_good(world, world.object(op.object).mutex, holder, waiter);
    case Awaits::WakeAndMutex:
      return world.thread(waiter).woken &&
             owns_for_good(world, world.object(op.second).mutex, holder, waiter);
    case Awaits::Once:
      return world.object(op.object).once.state == Once::State::Running &&
             world.object(op.object).once.runner == holder;
    case Awaits::Writer:
      return world.object(op.object).rwlock.writer == holder;
    case Awaits::Holders: {
      const RwLock& lock = world.object(op.object).rwlock;
      return lock.writer == holder || lock.reads(holder);
    }
    default:
      return false;
  }
}

// Whether the process ever has a handler that the thread does not block: it could give something
// back, or jump away.
bool may_run_handler(const World& world, const Execution& execution, const ThreadAtEnd& thread) {
  const uint64_t open = ~world.thread(thread.id).blocked;
  if ((signal_table(world, thread.process).handled & open) != 0) return true;
  return std::any_of(execution.transitions.begin(), execution.transitions.end(),
                     [&](const Transition& made) {
                       return made.op.kind == OpKind::SignalAction &&
                              made.process == thread.process && (made.op.flags & kHandles) != 0 &&
                              (signal_bit(static_cast<int>(made.op.value)) & open) != 0;
                     });
}

}  // namespace

std::vector<Sighting> WaitCycles::sightings(const Execution& execution) {
  std::vector<Sighting> found;
  if (!can_be_asked(execution.end)) return found;
  const Group waiting = waiting_threads(execution);
  if (waiting.empty()) return found;
  const std::vector<Group> groups = components(waiting, MayHold(execution));
  if (groups.empty()) return found;
  execution_ = &execution;
  order_.read(execution);
  if (replica_ == nullptr) replica_ = std::make_unique<Replica>();
  replica_->read(order_, bound_);
  for (const Group& group : groups) look_at(group, found);
  return found;
}

// Smaller groups are looked at again, in their own state: less has happened there.
void WaitCycles::look_at(const Group& group, std::vector<Sighting>& out) {
  go_to(group);
  if (!replica_->is_faithful()) return;
  Group stuck;
  for (const ThreadAtEnd* thread : group) {
    if (is_stuck(*thread)) stuck.push_back(thread);
  }
  const World& world = replica_->world();
  const std::vector<Group> cycles =
      components(stuck, [&](const ThreadAtEnd& waiter, const ThreadAtEnd& holder) {
        return is_held_by(world, waiter.id, waiter.pending, holder.id);
      });
  for (const Group& cycle : cycles) {
    if (cycle.size() < group.size()) {
      look_at(cycle, out);
    } else {
      out.push_back(sighting_of(cycle));
    }
  }
}

// To the first state in which all of them stand where they stand for good.
void WaitCycles::go_to(const Group& group) {
  there_.assign(order_.stride(), 0);
  for (const ThreadAtEnd* thread : group) {
    const uint32_t slot = order_.slot_of(thread->id);
    const uint32_t last = order_.previous(slot, order_.length(slot));
    if (last != HappensBefore::kNone) order_.add_history(there_, last);
    if (row_of(thread->pending.kind).awaits == Awaits::WakeAndMutex) add_wake_up(*thread);
  }
  while (complete_transitions()) {
  }
  replica_->go_to_prefix(0);
  replica_->go_to(there_);
}

// With composed transitions, what a hurried step accesses is said of the first step of its
// transition: so all of it must be there. True if something was missing.
bool WaitCycles::complete_transitions() {
  bool was_missing = false;
  for (uint32_t slot = 0; slot < order_.thread_count(); ++slot) {
    while (there_[slot] > 0 && there_[slot] < order_.length(slot)) {
      const uint32_t next = order_.event(slot, there_[slot]);
      if (!order_.transition(next).is_hurried) break;
      order_.add_history(there_, next);
      was_missing = true;
    }
  }
  return was_missing;
}

void WaitCycles::add_wake_up(const ThreadAtEnd& thread) {
  const uint32_t slot = order_.slot_of(thread.id);
  const uint32_t last = order_.previous(slot, order_.length(slot));
  for (uint32_t i = last == HappensBefore::kNone ? 0 : last + 1; i < order_.size(); ++i) {
    const Transition& made = order_.transition(i);
    if (made.op.object != thread.pending.object) continue;
    const bool wakes = made.op.kind == OpKind::CondBroadcast ||
                       (made.op.kind == OpKind::CondSignal && made.effect.thread == thread.id);
    if (wakes) return order_.add_history(there_, i);
  }
}

bool WaitCycles::is_stuck(const ThreadAtEnd& thread) {
  const uint32_t slot = order_.slot_of(thread.id);
  return replica_->stands(slot) && replica_->enabled(slot).empty() &&
         !may_run_handler(replica_->world(), *execution_, thread);
}

Sighting WaitCycles::sighting_of(const Group& cycle) const {
  Sighting sighting{FindingKind::Deadlock, {}, 0};
  for (uint32_t i = 0; i < order_.size(); ++i) {
    if (order_.contains(there_, i)) sighting.steps.push_back(i);
  }
  sighting.length = static_cast<uint32_t>(sighting.steps.size());
  std::vector<ThreadId> threads;
  for (const ThreadAtEnd* thread : cycle) threads.push_back(thread->id);
  sighting.standpoints = standpoints_of(standing_after(sighting.steps, threads, *execution_));
  return sighting;
}

}  // namespace mazurka
