// The search from a root against `none`: on random scripted programs, what `dpor` reaches from the
// state after some steps is what executions that begin with these steps reach; no less, and no
// more.
#include <gtest/gtest.h>

#include <set>

#include "explore/engine/search.h"
#include "explore/trace/end_states.h"
#include "testing/scripts/known_scripts.h"
#include "testing/scripts/random_script.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

constexpr uint64_t kPrograms = 1500;
constexpr uint64_t kMostExecutions = 300;

bool begins_with(const Execution& execution, const std::vector<PlannedStep>& root) {
  if (execution.transitions.size() < root.size()) return false;
  for (size_t i = 0; i < root.size(); ++i) {
    if (execution.transitions[i].choice != root[i].choice) return false;
  }
  return true;
}

struct Reached {
  std::set<uint64_t> ends;
  bool is_whole = false;
  bool all_begin_with_root = true;
};

// The end states of the executions that begin with the root. All by one program: ids are numbered
// as they are met.
Reached search(ScriptedProgram& program, const std::string& name,
               const std::vector<PlannedStep>& root, bool rooted) {
  SearchOptions options;
  options.search = name;
  options.keep_going = true;
  options.max_executions = rooted ? 0 : kMostExecutions;
  if (rooted) options.root = root;
  Reached reached;
  options.on_execution = [&](const Execution& execution) {
    if (!begins_with(execution, root)) {
      reached.all_begin_with_root = false;
    } else if (has_end_state(execution)) {
      reached.ends.insert(end_state(execution));
    }
  };
  const Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  reached.is_whole = verdict->complete() && !verdict->trouble;
  return reached;
}

// The first steps of the execution that always takes the last choice.
std::vector<PlannedStep> some_steps(ScriptedProgram& program, size_t length) {
  Plan plan;
  for (;;) {
    Execution execution;
    EXPECT_TRUE(program.run(plan, execution));
    const size_t known = plan.prefix.size();
    if (known >= length || known >= execution.transitions.size()) return plan.prefix;
    const Transition& next = execution.transitions[known];
    const Choice choice = next.enabled.empty() ? next.choice : next.enabled.back();
    plan.prefix.push_back({choice, OpKind::None, {}, kNoObject});
  }
}

TEST(SearchFromRoot, ReachesWhatCanFollowTheRootAndNothingElse) {
  uint64_t compared = 0;
  for (uint64_t seed = 1; seed <= kPrograms; ++seed) {
    ScriptedProgram program(random_script(seed));
    const std::vector<PlannedStep> root = some_steps(program, 1 + seed % 4);
    const Reached truth = search(program, "none", root, false);
    if (!truth.is_whole || root.empty()) continue;
    const Reached found = search(program, "dpor", root, true);
    ASSERT_TRUE(found.all_begin_with_root) << "seed " << seed;
    ASSERT_EQ(found.ends, truth.ends) << "seed " << seed;
    ++compared;
  }
  EXPECT_GT(compared, kPrograms / 2);
}

TEST(SearchFromRoot, KnowsWhenItIsTooLateForADeadlock) {
  const Script script = thread_philosophers(2);
  const auto deadlocks = [&](std::vector<PlannedStep> root) {
    ScriptedProgram program(script);
    SearchOptions options;
    options.search = "dpor";
    options.keep_going = true;
    options.root = std::move(root);
    const Result<Verdict> verdict = explore(program, options);
    return verdict->findings.size();
  };
  const PlannedStep first{{ThreadId(1), kOnlyOutcome}, OpKind::None, {}, kNoObject};
  EXPECT_EQ(deadlocks({}), 1u);
  EXPECT_EQ(deadlocks({first}), 1u);
  EXPECT_EQ(deadlocks({first, first}), 0u);  // it holds both forks
}

}  // namespace
}  // namespace mazurka
