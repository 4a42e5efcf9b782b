// The plain search on scripted programs, with counts that a calculation by hand or by another
// program gives.
#include <gtest/gtest.h>

#include "explore/engine/search.h"
#include "testing/scripts/known_scripts.h"
#include "testing/scripts/random_script.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

Instruction on(OpKind kind, ObjectId object) { return operate({.kind = kind, .object = object}); }

Verdict search(Script script, uint64_t max_executions = 0) {
  ScriptedProgram program(std::move(script));
  SearchOptions options;
  options.keep_going = true;
  options.max_executions = max_executions;
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return std::move(*verdict);
}

void expect_one_deadlock(const Verdict& verdict, uint64_t transitions, uint64_t executions) {
  EXPECT_EQ(verdict.counts.transitions, transitions);
  EXPECT_EQ(verdict.counts.executions, executions);
  EXPECT_TRUE(verdict.complete());
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].kind(), FindingKind::Deadlock);
}

TEST(ScriptedSearch, PhilosophersWithThreadsMutexesAndJoins) {
  expect_one_deadlock(search(thread_philosophers(2)), 40, 8);
  expect_one_deadlock(search(thread_philosophers(3)), 11'075, 2'184);
}

TEST(ScriptedSearch, PhilosophersWithProcessesAndSystemVSemaphores) {
  expect_one_deadlock(search(process_philosophers(2)), 18, 4);
  expect_one_deadlock(search(process_philosophers(3)), 1'680, 396);
}

TEST(ScriptedSearch, TheScheduleOfTheDeadlockIsAsShortAsCanBe) {
  EXPECT_EQ(search(thread_philosophers(3)).findings.at(0).schedule.size(), 3u);
}

TEST(ScriptedSearch, ATossHasEachOfItsOutcomes) {
  Script script;
  script.bodies = {
      {operate({.kind = OpKind::Toss, .value = 2}), operate({.kind = OpKind::Toss, .value = 1})}};
  const Verdict verdict = search(script);
  EXPECT_EQ(verdict.counts.executions, 6u);
  EXPECT_EQ(verdict.counts.transitions, 9u);
  EXPECT_TRUE(verdict.ok());
}

TEST(ScriptedSearch, AnAssertionThatOneTossBreaks) {
  Script script;
  script.bodies = {{operate({.kind = OpKind::Toss, .value = 3}),
                    go_to(3, Instruction::Test::ValueIsNot, 2),
                    operate({.kind = OpKind::Assertion, .value = 6}), go_to(4)}};
  const Verdict verdict = search(script);
  EXPECT_EQ(verdict.counts.executions, 4u);
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].kind(), FindingKind::Assertion);
  EXPECT_EQ(verdict.findings[0].schedule.at(0).choice.outcome, 2);
}

TEST(ScriptedSearch, ABoundThatIsReachedIsSaid) {
  Script script;
  const ObjectId semaphore = script.add({.kind = ObjectKind::Semaphore});
  script.bodies = {{on(OpKind::SemPost, semaphore), go_to(0)}};
  ScriptedProgram program(script);
  SearchOptions options;
  options.limits.bound = 5;
  const Result<Verdict> verdict = explore(program, options);
  EXPECT_EQ(verdict->guarantee, Guarantee::Bounded);
  EXPECT_EQ(verdict->counts.max_depth, 5u);
  EXPECT_TRUE(verdict->findings.empty());
}

// Whatever a script does, its schedules replay, and each finding shows again.
TEST(ScriptedSearch, RandomProgramsAreDeterministic) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Verdict verdict = search(random_script(seed), 300);
    EXPECT_FALSE(verdict.trouble) << seed;
    for (const Finding& finding : verdict.findings) {
      EXPECT_NE(finding.kind(), FindingKind::Nondeterminism) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace mazurka
