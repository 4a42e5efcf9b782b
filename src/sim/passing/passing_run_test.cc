#include "sim/passing/passing_run.h"

#include <gtest/gtest.h>

#include "explore/classic/plain_search.h"
#include "testing/scripts/random_script.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

Instruction lock(ObjectId m) { return operate({.kind = OpKind::MutexLock, .object = m}); }
Instruction unlock(ObjectId m) { return operate({.kind = OpKind::MutexUnlock, .object = m}); }

Script opposite_locks() {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  const ObjectId b = script.add({.kind = ObjectKind::Mutex});
  script.bodies.push_back({spawn(1), spawn(2), join_child(1), join_child(2)});
  script.bodies.push_back({lock(a), lock(b), unlock(b), unlock(a)});
  script.bodies.push_back({lock(b), lock(a), unlock(a), unlock(b)});
  return script;
}

Verdict search_all(Program& program) {
  SearchOptions options;
  options.keep_going = true;
  return plain_search(program, options);
}

PassingRun nearest(Program& program, const Finding& finding) {
  Limits limits;
  SightingReader reader(program, nullptr, limits.bound);
  MinimizeBudget budget(2000, 60, nullptr);
  return nearest_passing_run(program, limits, reader, finding.execution,
                             static_cast<uint32_t>(finding.schedule.size()), std::nullopt, budget);
}

TEST(PassingRun, OfADeadlockBranchesOffBeforeTheSecondLock) {
  ScriptedProgram program(opposite_locks());
  const Verdict verdict = search_all(program);
  ASSERT_EQ(verdict.findings.size(), 1u);
  const PassingRun found = nearest(program, verdict.findings[0]);
  ASSERT_TRUE(found.critical.has_value());
  EXPECT_EQ(*found.critical, 1u);  // after the first lock all may still be well
  ASSERT_FALSE(found.schedule.empty());
  // One thread unlocks what the other one then locks; in the failing run it never comes to that.
  ASSERT_EQ(found.differences.size(), 1u);
  const RunDifference& difference = found.differences[0];
  EXPECT_EQ(difference.kind, RunDifference::Kind::OtherOrder);
  EXPECT_FALSE(difference.failing_first.has_value());
  EXPECT_EQ(difference.failing_second, 1u);
}

TEST(PassingRun, ThereIsNoneWhereAllRunsFail) {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  script.bodies.push_back({spawn(1), join_child(1)});
  script.bodies.push_back({lock(a), lock(a)});
  ScriptedProgram program(script);
  const Verdict verdict = search_all(program);
  ASSERT_EQ(verdict.findings.size(), 1u);
  const PassingRun found = nearest(program, verdict.findings[0]);
  EXPECT_TRUE(found.is_doomed);
  EXPECT_FALSE(found.critical.has_value());
  EXPECT_TRUE(found.schedule.empty());
}

TEST(PassingRun, SaysNothingWithoutABudget) {
  ScriptedProgram program(opposite_locks());
  const Finding finding = search_all(program).findings.at(0);
  Limits limits;
  SightingReader reader(program, nullptr, limits.bound);
  MinimizeBudget budget(0, 60, nullptr);
  const PassingRun found =
      nearest_passing_run(program, limits, reader, finding.execution,
                          static_cast<uint32_t>(finding.schedule.size()), std::nullopt, budget);
  EXPECT_FALSE(found.is_doomed);
  EXPECT_FALSE(found.critical.has_value());
}

// Runs everything that begins with the prefix: whether any of it is clean. Knows nothing of what is
// tested. Nothing if that takes too long.
std::optional<bool> can_pass(Program& program, SightingReader& reader,
                             const std::vector<PlannedStep>& prefix, uint64_t& executions) {
  if (++executions > 500) return std::nullopt;
  Plan plan;
  plan.prefix = prefix;
  Execution execution;
  if (!program.run(plan, execution)) return std::nullopt;
  if (execution.end != End::Finished && reader.read(execution).empty()) return std::nullopt;
  if (reader.read(execution).empty()) return true;
  std::vector<PlannedStep> path = prefix;
  for (size_t i = prefix.size(); i < execution.transitions.size(); ++i) {
    const Transition& made = execution.transitions[i];
    for (const Choice& choice : made.enabled) {
      if (choice == made.choice) continue;
      std::vector<PlannedStep> other = path;
      other.push_back({choice, OpKind::None, {}, kNoObject});
      const auto passes = can_pass(program, reader, other, executions);
      if (!passes || *passes) return passes;
    }
    path.push_back({made.choice, OpKind::None, {}, kNoObject});
  }
  return false;
}

TEST(PassingRun, IsWhatAllContinuationsSayInRandomPrograms) {
  uint64_t with_critical = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    ScriptedProgram program(random_script(seed));
    SearchOptions options;
    options.keep_going = true;
    options.max_executions = 200;
    const Verdict verdict = plain_search(program, options);
    for (const Finding& finding : verdict.findings) {
      if (finding.unconfirmed) continue;
      Limits limits;
      SightingReader reader(program, nullptr, limits.bound);
      const PassingRun found = nearest(program, finding);
      uint64_t executions = 0;
      if (found.critical) {
        ++with_critical;
        std::vector<PlannedStep> before(finding.schedule.begin(),
                                        finding.schedule.begin() + *found.critical);
        const auto passes = can_pass(program, reader, before, executions);
        if (passes) {
          EXPECT_TRUE(*passes) << "seed " << seed;
        }
        before.push_back(finding.schedule[*found.critical]);
        const auto late = can_pass(program, reader, before, executions);
        if (late) {
          EXPECT_FALSE(*late) << "seed " << seed;
        }
        // And its schedule passes.
        Plan plan;
        plan.prefix = found.schedule;
        Execution execution;
        ASSERT_TRUE(program.run(plan, execution));
        EXPECT_TRUE(reader.read(execution).empty()) << "seed " << seed;
        EXPECT_EQ(execution.end, End::Finished) << "seed " << seed;
        EXPECT_EQ(execution.transitions.size(), found.schedule.size()) << "seed " << seed;
      } else if (found.is_doomed) {
        const auto passes = can_pass(program, reader, {}, executions);
        if (passes) {
          EXPECT_FALSE(*passes) << "seed " << seed;
        }
      }
    }
  }
  EXPECT_GT(with_critical, 10u);
}

}  // namespace
}  // namespace mazurka
