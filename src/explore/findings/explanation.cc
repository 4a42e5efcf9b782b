#include "explore/findings/explanation.h"

#include <algorithm>
#include <map>

#include "explore/findings/preemptions.h"
#include "explore/trace/happens_before.h"
#include "explore/trace/replica.h"
#include "objects/all_words.h"

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
  return is_delivery(made.op, made.choice.outcome) || words_of(made.op.kind).outcome_matters;
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

void find_waits(const Finding& finding, const HappensBefore& order, uint32_t bound,
                Explanation& out) {
  Replica replica;
  replica.read(order, bound);
  const bool is_of_some = finding.sighting.is_deadlock_of_some();
  Configuration there;
  order.prefix(is_of_some ? finding.sighting.length : order.size(), there);
  replica.go_to(there);
  if (!replica.is_faithful()) return;
  for (const Culprit& culprit : culprits(finding)) {
    out.waits.push_back({culprit.thread, holders_of(replica.world(), culprit.thread, *culprit.op)});
  }
  out.cycle = cycle_in(out.waits);
}

}  // namespace

std::vector<ThreadId> holders_of(const World& world, ThreadId thread, const Operation& op) {
  return words_of(op.kind).holders(world, thread, op);
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

Explanation waits_of(const Finding& finding) {
  Explanation explanation;
  Execution execution = finding.execution;
  add_waits_for_moves(execution);
  HappensBefore order;
  order.read(execution);
  find_waits(finding, order, 0, explanation);
  return explanation;
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
