#include "explore/findings/explanation.h"

#include <algorithm>
#include <map>

#include "explore/findings/preemptions.h"
#include "explore/trace/happens_before.h"
#include "explore/trace/replica.h"
#include "objects/op_table.h"

namespace mazurka {
namespace {

// Everything that a thread does adds to its life and reads that of its process: that says nothing.
bool tells_something(const Access& access) {
  return access.resource.kind == Resource::Kind::Object ||
         access.resource.kind == Resource::Kind::Wake ||
         access.resource.kind == Resource::Kind::Events;
}

using ResourceKey = std::pair<std::pair<int, int>, uint32_t>;

ResourceKey key_of(const Resource& resource) {
  return {{static_cast<int>(resource.kind), resource.part}, resource.index};
}

// Who accesses what, and how.
class Accessors {
 public:
  void add(ThreadId thread, const std::vector<Access>& accesses) {
    for (const Access& access : accesses) {
      if (tells_something(access))
        by_resource_[key_of(access.resource)].emplace(thread, access.mode);
    }
  }
  bool has_conflict(ThreadId thread, const std::vector<Access>& accesses) const {
    return std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
      const auto known = by_resource_.find(key_of(access.resource));
      if (known == by_resource_.end()) return false;
      return std::any_of(known->second.begin(), known->second.end(), [&](const auto& other) {
        return other.first != thread && conflict(other.second, access.mode);
      });
    });
  }

 private:
  std::map<ResourceKey, std::multimap<ThreadId, Mode>> by_resource_;
};

bool has_chosen_outcome(const Transition& made) {
  return is_delivery(made.op, made.choice.outcome) || made.op.kind == OpKind::Toss ||
         made.op.kind == OpKind::CondSignal || made.op.kind == OpKind::CondWake ||
         made.op.kind == OpKind::WaitChild;
}

void mark_steps(const Finding& finding, uint32_t bound, Explanation& out) {
  const Execution& execution = finding.execution;
  Accessors accessors;
  for (size_t i = 0; i < out.steps.size(); ++i) {
    const Transition& made = execution.transitions[i];
    accessors.add(made.choice.thread, made.accesses);
  }
  for (const ThreadAtEnd& thread : execution.threads) {
    if (thread.stands_before_operation()) accessors.add(thread.id, thread.possible_accesses);
  }
  const auto preempts = preemptions_of(execution, out.steps.size(), bound);
  for (size_t i = 0; i < out.steps.size(); ++i) {
    const Transition& made = execution.transitions[i];
    ExplainedStep& step = out.steps[i];
    step.preempts = preempts && (*preempts)[i];
    const bool is_tested = finding.kind() == FindingKind::Tester && made.op.kind == OpKind::Event;
    step.matters = step.preempts || is_tested || made.accesses_everything ||
                   has_chosen_outcome(made) || finding.critical == i || i + 1 == out.steps.size() ||
                   accessors.has_conflict(made.choice.thread, made.accesses);
  }
}

void find_edges(const HappensBefore& order, Explanation& out) {
  for (uint32_t i = 0; i < out.steps.size(); ++i) {
    order.each_successor(i, [&](uint32_t j) {
      if (j < out.steps.size() && order.is_immediate(i, j)) out.edges.emplace_back(i, j);
    });
  }
  std::sort(out.edges.begin(), out.edges.end());
}

// --- who waits for whom

void add_readers(const RwLock& lock, std::vector<ThreadId>& out) {
  if (lock.writer != kNoThread) out.push_back(lock.writer);
  for (uint32_t i = 0; i < lock.known_readers; ++i) out.push_back(lock.readers[i].thread);
}

void add_owner(const World& world, ObjectId id, std::vector<ThreadId>& out) {
  if (id == kNoObject) return;
  const Object& object = world.object(id);
  if (object.kind == ObjectKind::Mutex && object.mutex.locked()) out.push_back(object.mutex.owner);
  if (object.kind == ObjectKind::RwLock) add_readers(object.rwlock, out);
  if (object.kind == ObjectKind::Once && object.once.state == Once::State::Running) {
    out.push_back(object.once.runner);
  }
}

// A lock of a file belongs to a process, or to all that hold the description; a process stands for
// its first thread.
void add_lockers(const World& world, ThreadId thread, const Operation& op,
                 std::vector<ThreadId>& out) {
  const FileLock* const found = lock_in_the_way(world, thread, op);
  if (found == nullptr) return;
  if (found->owner.process != kNoProcess) return out.push_back(found->owner.process);
  const Description& description = world.object(found->owner.description).description;
  out.insert(out.end(), description.holders, description.holders + description.holder_count);
}

void find_waits(const Finding& finding, const HappensBefore& order, uint32_t bound,
                Explanation& out) {
  Replica replica;
  replica.read(order, bound);
  Configuration all;
  order.prefix(order.size(), all);
  replica.go_to(all);
  if (!replica.is_faithful()) return;
  for (const Culprit& culprit : culprits(finding)) {
    out.waits.push_back({culprit.thread, holders_of(replica.world(), culprit.thread, *culprit.op)});
  }
  out.cycle = cycle_in(out.waits);
}

}  // namespace

// A waiter that was woken waits for the mutex; until then, for somebody who wakes it.
std::vector<ThreadId> holders_of(const World& world, ThreadId thread, const Operation& op) {
  std::vector<ThreadId> holders;
  const Awaits awaits = row_of(op.kind).awaits;
  if (awaits == Awaits::End || awaits == Awaits::ChildEnd) {
    if (op.target != kNoThread) holders.push_back(op.target);
  } else if (awaits == Awaits::WakeAndMutex) {
    if (world.thread(thread).woken) add_owner(world, op.second, holders);
  } else if (op.kind == OpKind::FileLock) {
    add_lockers(world, thread, op, holders);
  } else {
    add_owner(world, op.object, holders);
  }
  return holders;
}

std::vector<ThreadId> cycle_in(const std::vector<Wait>& waits) {
  std::map<ThreadId, ThreadId> next;  // of several holders, any may be the one
  for (const Wait& wait : waits) {
    if (!wait.holders.empty()) next[wait.thread] = wait.holders[0];
  }
  for (const Wait& wait : waits) {
    std::vector<ThreadId> path;
    for (auto at = next.find(wait.thread); at != next.end(); at = next.find(at->second)) {
      const auto met = std::find(path.begin(), path.end(), at->first);
      if (met != path.end()) return {met, path.end()};
      path.push_back(at->first);
    }
  }
  return {};
}

Explanation explain(const Finding& finding, uint32_t bound) {
  Explanation explanation;
  Execution execution = finding.execution;
  add_waits_for_moves(execution);
  explanation.steps.resize(std::min(finding.schedule.size(), execution.transitions.size()));
  mark_steps(finding, bound, explanation);
  HappensBefore order;
  order.read(execution);
  find_edges(order, explanation);
  const bool is_deadlock = finding.kind() == FindingKind::Deadlock && !finding.unconfirmed;
  if (is_deadlock) find_waits(finding, order, bound, explanation);
  return explanation;
}

}  // namespace mazurka
