// The shortcuts of the reverse search on random scripts: they find the same children, and the masks
// that they rest on have all accesses in them.
#include "explore/optimal/optimal_children.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "explore/optimal/optimal_search.h"
#include "explore/trace/common_prefix.h"
#include "explore/trace/mentioned_accesses.h"
#include "testing/scripts/known_scripts.h"
#include "testing/scripts/random_script.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

constexpr uint64_t kScripts = 800;
constexpr size_t kMaxExecutions = 300;  // of one script

RandomScriptOptions options_of(uint64_t seed) {
  RandomScriptOptions options;
  options.max_operations = 5 + static_cast<uint32_t>(seed % 7);
  options.max_threads = 3 + static_cast<uint32_t>(seed % 4);
  if (seed % 16 == 7) options.features |= kWaitsForOthers;
  return options;
}

// Some executions are cut, after a number of transitions of a thread or of all.
Limits limits_of(uint64_t seed) {
  Limits limits;
  if (seed % 8 == 3) limits.bound = 3;
  if (seed % 4 == 2) limits.depth = 3 + static_cast<uint32_t>(seed / 4 % 12);
  return limits;
}

// Calls f(plan, execution) for each execution of the search `optimal`, up to a limit.
template <typename F>
void each_execution(const Script& script, const Limits& limits, OptimalChildren& children, F&& f) {
  ScriptedProgram program(script);
  std::vector<OptimalTask> tasks(1);
  Execution execution;
  for (size_t i = 0; i < kMaxExecutions && !tasks.empty(); ++i) {
    Plan plan;
    tasks.back().write(plan);
    plan.limits = limits;
    plan.is_awake = children.all_dependent();
    tasks.pop_back();
    ASSERT_TRUE(program.run(plan, execution));
    if (execution.transitions.size() < plan.prefix.size()) continue;
    add_waits_for_moves(execution);
    if (!children.all_dependent() && waits_for_others(execution)) children.make_all_dependent();
    f(plan, execution);
    children.find(plan, execution, tasks);
  }
}

bool same_access(const Access& a, const Access& b) {
  return a.resource == b.resource && a.mode == b.mode;
}

bool same_step(const PlannedStep& a, const PlannedStep& b) {
  return a.choice == b.choice && a.kind == b.kind && a.object == b.object;
}

bool same_task(const OptimalTask& a, const OptimalTask& b) {
  const PlanBlock& x = a.block;
  const PlanBlock& y = b.block;
  return std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), same_step) &&
         std::equal(a.accesses.begin(), a.accesses.end(), b.accesses.begin(), b.accesses.end(),
                    same_access) &&
         x.begin == y.begin && x.end == y.end && x.reversed == y.reversed && x.head == y.head &&
         x.access_begin == y.access_begin && x.access_count == y.access_count;
}

bool same_mask(const AccessMask& a, const AccessMask& b) {
  return a.changes == b.changes && a.looks == b.looks;
}

// Masks that are kept from one execution to the next are those that would be made anew.
void expect_same_masks(const HappensBefore& order, const OperationMasks& kept,
                       const OperationMasks& fresh) {
  for (uint32_t i = 0; i < order.size(); ++i) {
    ASSERT_TRUE(same_mask(kept.event(i), fresh.event(i))) << "event " << i;
    ASSERT_EQ(kept.disables(i), fresh.disables(i)) << "event " << i;
  }
  for (uint32_t slot = 0; slot < order.thread_count(); ++slot) {
    for (uint32_t count = 0; count <= order.length(slot); ++count) {
      ASSERT_TRUE(same_mask(kept.operation(slot, count), fresh.operation(slot, count)))
          << slot << ", " << count;
      ASSERT_EQ(kept.disabling(slot, count), fresh.disabling(slot, count)) << slot << ", " << count;
    }
  }
}

TEST(OptimalChildren, MasksOfEarlierExecutionsAreThoseOfThisOne) {
  OperationMasks kept;  // by all scripts: what a thread does changes from one to the next
  HappensBefore order;
  for (uint64_t seed = 0; seed < kScripts / 8 && !HasFailure(); ++seed) {
    OptimalChildren children;
    each_execution(random_script(seed, options_of(seed)), limits_of(seed), children,
                   [&](const Plan&, const Execution& execution) {
                     OperationMasks fresh;
                     order.read(execution, children.all_dependent());
                     kept.read(order, children.all_dependent());
                     fresh.read(order, children.all_dependent());
                     expect_same_masks(order, kept, fresh);
                   });
  }
}

TEST(OptimalChildren, ShortcutsFindTheSameChildren) {
  uint64_t found = 0;
  for (uint64_t seed = 0; seed < kScripts && !HasFailure(); ++seed) {
    const Script script = random_script(seed, options_of(seed));
    OptimalChildren quick;
    OptimalChildren thorough(true);
    std::vector<OptimalTask> some;
    std::vector<OptimalTask> all;
    each_execution(
        script, limits_of(seed), quick, [&](const Plan& plan, const Execution& execution) {
          if (quick.all_dependent()) thorough.make_all_dependent();
          some.clear();
          all.clear();
          quick.find(plan, execution, some);
          thorough.find(plan, execution, all);
          found += all.size();
          EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin(), all.end(), same_task))
              << "seed " << seed << ": " << some.size() << " children of " << all.size() << "\n"
              << to_string(script);
        });
  }
  EXPECT_GT(found, 5'000u);
}

// What neighbours have in common is looked at once, and that changes nothing.
TEST(OptimalChildren, NeighboursHaveTheSameChildrenAsByThemselves) {
  uint64_t found = 0;
  uint64_t common = 0;
  for (uint64_t seed = 0; seed < kScripts / 2 && !HasFailure(); ++seed) {
    const Script script = random_script(seed, options_of(seed));
    OptimalChildren alone;
    OptimalChildren followed;
    std::vector<std::pair<Plan, Execution>> all;
    each_execution(
        script, limits_of(seed), alone,
        [&](const Plan& plan, const Execution& execution) { all.emplace_back(plan, execution); });
    if (alone.all_dependent()) followed.make_all_dependent();
    for (size_t i = 0; i < all.size() && !HasFailure(); ++i) {
      const auto& [plan, execution] = all[i];
      const Execution* next = i + 1 < all.size() && i % 10 != 9 ? &all[i + 1].second : nullptr;
      std::vector<OptimalTask> expected;
      std::vector<OptimalTask> got;
      EXPECT_EQ(alone.find(plan, execution, expected), followed.find(plan, execution, got, next));
      EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), expected.end(), same_task))
          << "seed " << seed << ", execution " << i << ": " << got.size() << " children of "
          << expected.size() << "\n"
          << to_string(script);
      found += expected.size();
      if (next != nullptr) common += common_prefix(execution, *next).value_or(0);
    }
  }
  EXPECT_GT(found, 2'500u);
  EXPECT_GT(common, 10'000u);
}

// --- masks

bool has_all(const AccessMask& mask, const Label& label) {
  if (label.touches_everything) return mask.changes == UINT64_MAX && mask.looks == UINT64_MAX;
  return std::all_of(label.accesses.begin(), label.accesses.end(), [&](const Access& access) {
    AccessMask its;
    its.add(access.resource, access.mode);
    return (its.changes & ~mask.changes) == 0 && (its.looks & ~mask.looks) == 0;
  });
}

// What an operation is said to access in any case.
bool has_what_is_sure(const Operation& op, const Label& label) {
  SureAccess sure;
  if (label.touches_everything || !has_sure_access(op, sure)) return true;
  return std::any_of(label.accesses.begin(), label.accesses.end(), [&](const Access& access) {
    return access.resource == sure.resource &&
           (access.mode == Mode::Write || sure.mode != Mode::Write);
  });
}

class MaskedStates {
 public:
  void read(const Execution& execution, uint32_t bound) {
    order_.read(execution);
    masks_.read(order_, false);
    replica_.read(order_, bound);
  }

  uint64_t sure() const { return sure_; }  // accesses that were there as they should be

  // What each thread could do next, after each beginning of the execution and after each event's
  // own history.
  void expect_masks_to_have_all(uint64_t seed) {
    Configuration set;
    for (uint32_t i = 0; i < order_.size(); ++i) {
      order_.prefix(i, set);
      replica_.go_to_prefix(0);
      expect_masks_to_have_all(set, seed);
      set.assign(order_.history(i), order_.history(i) + order_.stride());
      expect_masks_to_have_all(set, seed);
    }
  }

 private:
  void expect_masks_to_have_all(const Configuration& set, uint64_t seed) {
    Label label;
    replica_.go_to(set);
    for (uint32_t slot = 0; slot < order_.thread_count(); ++slot) {
      const std::vector<Outcome> outcomes = replica_.enabled(slot);
      for (Outcome outcome : outcomes) {
        replica_.label(slot, outcome, label);
        EXPECT_TRUE(has_all(masks_.operation(slot, set[slot]), label))
            << "seed " << seed << ": " << name_of(replica_.operation(slot, set[slot])->kind);
        if (!masks_.is_exact(slot, set[slot])) continue;
        const Operation& op = *replica_.operation(slot, set[slot]);
        EXPECT_TRUE(has_what_is_sure(op, label)) << "seed " << seed << ": " << name_of(op.kind);
        SureAccess sure;
        sure_ += has_sure_access(op, sure);
      }
    }
  }

  HappensBefore order_;
  OperationMasks masks_;
  Replica replica_;
  uint64_t sure_ = 0;
};

TEST(OperationMasks, HaveAllAccessesInEveryState) {
  MaskedStates states;
  for (uint64_t seed = 0; seed < kScripts / 3 && !HasFailure(); ++seed) {
    if (seed % 16 == 7) continue;  // waits for others: then all is dependent
    OptimalChildren children;
    const Limits limits = limits_of(seed);
    each_execution(random_script(seed, options_of(seed)), limits, children,
                   [&](const Plan&, const Execution& execution) {
                     states.read(execution, limits.bound);
                     states.expect_masks_to_have_all(seed);
                   });
  }
  EXPECT_GT(states.sure(), 100'000u);
}

// What the shortcuts are for: in the philosophers' program, only neighbours have to do with each
// other.
TEST(OperationMasks, TellPhilosophersApart) {
  ScriptedProgram program(thread_philosophers(4));
  Execution execution;
  ASSERT_TRUE(program.run(Plan(), execution));
  HappensBefore order;
  OperationMasks masks;
  order.read(execution);
  masks.read(order, false);
  const uint32_t first = order.event(order.slot_of(ThreadId(1)), 0);
  const auto may_conflict = [&](uint16_t thread) {
    const uint32_t slot = order.slot_of(ThreadId(thread));
    return masks.operation(slot, 0).may_conflict(masks.event(first)) ||
           masks.operation(slot, 1).may_conflict(masks.event(first));
  };
  EXPECT_FALSE(may_conflict(3));
  EXPECT_TRUE(may_conflict(2) || may_conflict(4));
}

}  // namespace
}  // namespace mazurka
