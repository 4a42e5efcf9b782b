#include "explore/findings/minimize.h"

#include <gtest/gtest.h>

#include "explore/classic/plain_search.h"
#include "testing/scripts/random_script.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

constexpr uint64_t kMostExecutions = 300;

// --- the oracle: looks at every interleaving, and knows nothing of what is tested

struct Oracle {
  Program& program;
  Limits limits;
  uint64_t executions = 0;
  bool gave_up = false;

  struct Best {
    Sighting sighting;
    std::pair<uint32_t, uint32_t> rank;  // preemptions, steps
  };
  std::vector<Best> found;

  // Everything that begins with the prefix, which has so many preemptions. The states before its
  // steps are not logged, so it is run in the order of its length.
  void explore(const std::vector<PlannedStep>& prefix, uint32_t preemptions) {
    if (++executions > kMostExecutions) {
      gave_up = true;
      return;
    }
    Plan plan;
    plan.prefix = prefix;
    plan.limits = limits;
    Execution execution;
    ASSERT_TRUE(program.run(plan, execution));
    std::vector<uint32_t> after(execution.transitions.size() + 1, preemptions);
    std::vector<PlannedStep> path = prefix;
    for (size_t i = prefix.size(); i < execution.transitions.size() && !gave_up; ++i) {
      const Transition& made = execution.transitions[i];
      const ThreadId last = i == 0 ? kMainThread : execution.transitions[i - 1].choice.thread;
      uint32_t cost = 0;
      for (const Choice& choice : made.enabled) cost = choice.thread == last ? 1 : cost;
      for (const Choice& choice : made.enabled) {
        if (choice == made.choice) continue;
        std::vector<PlannedStep> other = path;
        other.push_back({choice, OpKind::None, {}, kNoObject});
        explore(other, after[i] + (choice.thread == last ? 0 : cost));
      }
      after[i + 1] = after[i] + (made.choice.thread == last ? 0 : cost);
      path.push_back({made.choice, OpKind::None, {}, kNoObject});
    }
    for (const Sighting& sighting : sightings(execution)) {
      if (sighting.length >= prefix.size()) note(sighting, after[sighting.length]);
    }
  }

  void note(const Sighting& sighting, uint32_t preemptions) {
    const auto rank = std::pair(preemptions, sighting.length);
    for (Best& best : found) {
      if (!(best.sighting == sighting)) continue;
      best.rank = std::min(best.rank, rank);
      return;
    }
    found.push_back({sighting, rank});
  }

  std::pair<uint32_t, uint32_t> best_of(const Sighting& sighting) const {
    for (const Best& best : found) {
      if (best.sighting == sighting) return best.rank;
    }
    return {0, 0};
  }
};

TEST(Minimize, RandomScriptsGetTheFewestPreemptionsAndThenTheFewestSteps) {
  size_t compared = 0;
  size_t shortened = 0;
  for (uint64_t seed = 0; seed < 1'200; ++seed) {
    ScriptedProgram program(random_script(seed));
    Oracle oracle{program, {}, 0, false, {}};
    oracle.explore({}, 0);
    if (oracle.gave_up || oracle.found.empty()) continue;
    SearchOptions options;
    options.search = seed % 2 == 0 ? "optimal" : "none";
    options.keep_going = true;
    const Result<Verdict> long_ones = explore(program, options);
    options.minimize = true;
    const Result<Verdict> verdict = explore(program, options);
    ASSERT_TRUE(verdict && long_ones);
    ASSERT_EQ(verdict->findings.size(), long_ones->findings.size()) << "seed " << seed;
    ASSERT_GE(verdict->findings.size(), oracle.found.size()) << "seed " << seed;
    for (size_t i = 0; i < verdict->findings.size(); ++i) {
      const Finding& finding = verdict->findings[i];
      // Its schedule is what leads there, in an order that may have more preemptions.
      if (finding.sighting.is_deadlock_of_some()) continue;
      ASSERT_TRUE(finding.preemptions) << "seed " << seed;
      const auto rank =
          std::pair(*finding.preemptions, static_cast<uint32_t>(finding.schedule.size()));
      EXPECT_EQ(rank, oracle.best_of(finding.sighting)) << "seed " << seed;
      EXPECT_TRUE(finding.is_least_preempted) << "seed " << seed;
      EXPECT_EQ(finding.count, long_ones->findings[i].count);
      shortened += finding.schedule.size() < long_ones->findings[i].schedule.size();
      ++compared;
    }
  }
  EXPECT_GT(compared, 200u);
  EXPECT_GT(shortened, 5u);
}

// --- critical steps

Instruction lock(ObjectId m) { return operate({.kind = OpKind::MutexLock, .object = m}); }
Instruction unlock(ObjectId m) { return operate({.kind = OpKind::MutexUnlock, .object = m}); }

Finding only_finding(ScriptedProgram& program) {
  SearchOptions options;
  options.search = "optimal";
  options.minimize = true;
  const Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  EXPECT_EQ(verdict->findings.size(), 1u);
  return verdict->findings.at(0);
}

TEST(Minimize, TheCriticalStepOfOppositeLocksIsTheSecondLock) {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  const ObjectId b = script.add({.kind = ObjectKind::Mutex});
  script.bodies.push_back({spawn(1), spawn(2), join_child(1), join_child(2)});
  script.bodies.push_back({lock(a), lock(b), unlock(b), unlock(a)});
  script.bodies.push_back({lock(b), lock(a), unlock(a), unlock(b)});
  ScriptedProgram program(script);
  const Finding finding = only_finding(program);
  EXPECT_EQ(finding.schedule.size(), 2u);
  EXPECT_EQ(finding.preemptions, 1u);
  EXPECT_TRUE(finding.is_least_preempted);
  EXPECT_EQ(finding.critical, 1u);
}

TEST(Minimize, AnErrorThatIsCertainFromTheStartHasNoCriticalStep) {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  script.bodies.push_back({lock(a), lock(a)});
  ScriptedProgram program(script);
  const Finding finding = only_finding(program);
  EXPECT_EQ(finding.preemptions, 0u);
  EXPECT_FALSE(finding.critical);
}

// The thread that takes the semaphore first dooms the other, long before that shows.
TEST(Minimize, TheCriticalStepMayBeLongBeforeTheEnd) {
  Script script;
  const ObjectId s = script.add({.kind = ObjectKind::Semaphore});
  const ObjectId m = script.add({.kind = ObjectKind::Mutex});
  const Instruction wait = operate({.kind = OpKind::SemWait, .object = s});
  const Instruction post = operate({.kind = OpKind::SemPost, .object = s});
  script.bodies.push_back({spawn(1), spawn(2), post, join_child(1), join_child(2)});
  script.bodies.push_back({wait, lock(m), unlock(m), lock(m), unlock(m)});
  script.bodies.push_back({wait, post});
  ScriptedProgram program(script);
  const Finding finding = only_finding(program);
  EXPECT_EQ(finding.kind(), FindingKind::Deadlock);
  ASSERT_TRUE(finding.critical);
  const Transition& critical = finding.execution.transitions.at(*finding.critical);
  EXPECT_EQ(critical.op.kind, OpKind::SemWait);
  EXPECT_EQ(critical.choice.thread, ThreadId(1));
  EXPECT_EQ(*finding.critical, 1u);
}

TEST(Minimize, WhatIsNotWantedIsLeftAlone) {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  script.bodies.push_back({lock(a), lock(a)});
  ScriptedProgram program(script);
  SearchOptions options;
  const Result<Verdict> verdict = explore(program, options);
  ASSERT_TRUE(verdict);
  EXPECT_FALSE(verdict->findings.at(0).preemptions);
}

}  // namespace
}  // namespace mazurka
