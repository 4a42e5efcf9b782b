// The plain search on scripted programs, with counts that a calculation by hand or by another
// program gives.
#include <gtest/gtest.h>

#include "explore/search.h"
#include "program/random_script.h"
#include "program/scripted_program.h"

namespace mazurka {
namespace {

Instruction on(OpKind kind, ObjectId object) { return operate({.kind = kind, .object = object}); }

// Left fork, right fork, left back, right back.
Body philosopher(const std::vector<ObjectId>& forks, size_t me) {
  const ObjectId left = forks[me];
  const ObjectId right = forks[(me + 1) % forks.size()];
  return {on(OpKind::MutexLock, left), on(OpKind::MutexLock, right), on(OpKind::MutexUnlock, left),
          on(OpKind::MutexUnlock, right)};
}

Script thread_philosophers(uint32_t count) {
  Script script;
  std::vector<ObjectId> forks;
  for (uint32_t i = 0; i < count; ++i) forks.push_back(script.add({.kind = ObjectKind::Mutex}));
  script.bodies.resize(1);
  for (uint32_t i = 0; i < count; ++i) {
    script.bodies.push_back(philosopher(forks, i));
    script.bodies[0].push_back(spawn(i + 1));
  }
  for (uint32_t i = 0; i < count; ++i) script.bodies[0].push_back(join_child(i + 1));
  return script;
}

// VeriSoft's example 1: the first process is the last philosopher, nobody waits for anybody.
Script process_philosophers(uint32_t count) {
  Script script;
  const ObjectId set = script.add({.kind = ObjectKind::SemSet});
  std::vector<ObjectId> forks;
  for (uint32_t i = 0; i < count; ++i) {
    forks.push_back(script.add({.kind = ObjectKind::Semaphore, .value = 1}));
  }
  const auto change = [&](uint32_t fork, int by) {
    const auto number = static_cast<uint16_t>(fork % count);
    const SemPart part = {forks[number], by, 0, 0, number};
    return operate(script.with_parts({.kind = OpKind::Semop, .object = set}, {part}));
  };
  std::vector<Body> dine;
  for (uint32_t i = 0; i < count; ++i) {
    dine.push_back({change(i, -1), change(i + 1, -1), change(i, +1), change(i + 1, +1)});
  }
  script.bodies.resize(1);
  for (uint32_t i = 0; i + 1 < count; ++i) {
    script.bodies[0].push_back(fork_process(i + 1));
    script.bodies.push_back(dine[i]);
  }
  script.bodies[0].insert(script.bodies[0].end(), dine.back().begin(), dine.back().end());
  return script;
}

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
