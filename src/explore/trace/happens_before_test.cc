// Happens-before on random scripts, against the smallest transitive order that is found by looking
// at all pairs.
#include "explore/trace/happens_before.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "explore/optimal/optimal_children.h"
#include "explore/optimal/optimal_search.h"
#include "explore/trace/common_prefix.h"
#include "testing/scripts/random_script.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

constexpr uint64_t kScripts = 600;
constexpr size_t kMaxExecutions = 100;  // of one script

std::vector<Execution> executions_of(const Script& script, const Limits& limits) {
  ScriptedProgram program(script);
  OptimalChildren children;
  std::vector<OptimalTask> tasks(1);
  std::vector<Execution> all;
  while (!tasks.empty() && all.size() < kMaxExecutions) {
    Plan plan;
    tasks.back().write(plan);
    plan.limits = limits;
    tasks.pop_back();
    Execution execution;
    if (!program.run(plan, execution) || execution.transitions.size() < plan.prefix.size())
      continue;
    add_waits_for_moves(execution);
    children.find(plan, execution, tasks);
    all.push_back(std::move(execution));
  }
  return all;
}

bool creates(const Transition& made, ThreadId id) {
  return std::any_of(made.after.creations.begin(), made.after.creations.end(),
                     [&](const ThreadCreation& creation) { return creation.created == id; });
}

bool depend(const Transition& a, const Transition& b) {
  return a.choice.thread == b.choice.thread || a.accesses_everything || b.accesses_everything ||
         creates(a, b.choice.thread) ||
         conflict(a.accesses.data(), static_cast<uint32_t>(a.accesses.size()), b.accesses.data(),
                  static_cast<uint32_t>(b.accesses.size()));
}

using Order = std::vector<std::vector<bool>>;  // whether i is j, or happens before it

Order order_of(const Execution& execution) {
  const size_t count = execution.transitions.size();
  Order before(count, std::vector<bool>(count));
  for (size_t j = 0; j < count; ++j) {
    before[j][j] = true;
    for (size_t i = j; i-- > 0;) {
      if (before[i][j] || !depend(execution.transitions[i], execution.transitions[j])) continue;
      for (size_t k = 0; k <= i; ++k) before[k][j] = before[k][j] || before[k][i];
    }
  }
  return before;
}

bool is_immediate(const Order& before, uint32_t i, uint32_t j) {
  if (!before[i][j]) return false;
  for (uint32_t k = i + 1; k < j; ++k) {
    if (before[i][k] && before[k][j]) return false;
  }
  return true;
}

void expect_same(const HappensBefore& order, const Order& expected) {
  for (uint32_t i = 0; i < order.size(); ++i) {
    std::vector<uint32_t> successors;
    order.each_successor(i, [&](uint32_t j) { successors.push_back(j); });
    for (uint32_t j = i; j < order.size(); ++j) {
      ASSERT_EQ(order.is_before(i, j), expected[i][j]) << i << ", " << j;
      if (order.slot(i) == order.slot(j)) continue;
      ASSERT_EQ(order.is_immediate(i, j), is_immediate(expected, i, j)) << i << ", " << j;
      if (!order.is_immediate(i, j)) continue;
      ASSERT_NE(std::find(successors.begin(), successors.end(), j), successors.end())
          << i << ", " << j;
    }
  }
}

TEST(HappensBefore, IsTheSmallestOrderThatHasAllDependent) {
  HappensBefore fresh;
  HappensBefore kept;
  uint64_t in_common = 0;
  for (uint64_t seed = 0; seed < kScripts && !HasFailure(); ++seed) {
    RandomScriptOptions options;
    options.max_operations = 5 + static_cast<uint32_t>(seed % 9);
    options.max_threads = 3 + static_cast<uint32_t>(seed % 5);
    if (seed % 8 == 7) options.features |= kWaitsForOthers;
    Limits limits;
    if (seed % 4 == 2) limits.depth = 3 + static_cast<uint32_t>(seed / 4 % 12);
    const Script script = random_script(seed, options);
    const std::vector<Execution> all = executions_of(script, limits);
    for (size_t i = 0; i < all.size() && !HasFailure(); ++i) {
      const Order expected = order_of(all[i]);
      fresh.read(all[i]);
      expect_same(fresh, expected);
      const std::optional<uint32_t> common =
          i > 0 ? common_prefix(all[i - 1], all[i]) : std::nullopt;
      kept.read(all[i], false, common.value_or(0));
      in_common += kept.kept();
      expect_same(kept, expected);
    }
    EXPECT_FALSE(HasFailure()) << "seed " << seed << "\n" << to_string(script);
  }
  EXPECT_GT(in_common, 10'000u);
}

}  // namespace
}  // namespace mazurka
