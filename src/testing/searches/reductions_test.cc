// The searches with reduction on programs whose counts are known, and at their limits.
#include <gtest/gtest.h>

#include <algorithm>

#include "explore/engine/search.h"
#include "explore/trace/end_states.h"
#include "testing/scripts/known_scripts.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

Instruction on(OpKind kind, ObjectId object) { return operate({.kind = kind, .object = object}); }

SearchOptions options_of(const std::string& search) {
  SearchOptions options;
  options.search = search;
  options.keep_going = true;
  return options;
}

Verdict run(Script script, const SearchOptions& options) {
  ScriptedProgram program(std::move(script));
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return std::move(*verdict);
}

std::vector<std::string> reductions() {
  std::vector<std::string> names = search_names();
  names.erase(std::remove(names.begin(), names.end(), "none"), names.end());
  return names;
}

TEST(Reductions, EachTraceOfThePhilosophersRunsOnceToItsEnd) {
  for (const std::string& search : reductions()) {
    for (uint32_t n = 2; n <= 5; ++n) {
      const Verdict verdict = run(process_philosophers(n), options_of(search));
      EXPECT_EQ(verdict.counts.executions, (1u << n) - 1) << search << " " << n;
      EXPECT_TRUE(verdict.complete());
      ASSERT_EQ(verdict.findings.size(), 1u) << search << " " << n;
      EXPECT_EQ(verdict.findings[0].kind(), FindingKind::Deadlock);
      EXPECT_EQ(verdict.findings[0].count, 1u);
      EXPECT_EQ(run(thread_philosophers(n), options_of(search)).counts.executions, (1u << n) - 1);
      EXPECT_EQ(run(ordered_philosophers(n), options_of(search)).counts.executions, (1u << n) - 2);
    }
  }
}

// VeriSoft's figure 4: the whole state space has that many transitions.
TEST(Reductions, PersistentAndDporExploreLessThanTheStateSpaceHas) {
  constexpr uint64_t kTransitions[] = {18, 123, 708, 3765, 19158};
  for (const char* search : {"persistent", "dpor"}) {
    for (uint32_t n = 2; n <= 6; ++n) {
      const Verdict verdict = run(process_philosophers(n), options_of(search));
      EXPECT_LT(verdict.counts.transitions, kTransitions[n - 2]) << search << " " << n;
    }
  }
}

// With semaphores as with mutexes: a wait does not race with the post that it needs.
TEST(Reductions, DporDoesNotTryWhatTheValueForbids) {
  constexpr uint64_t kTransitions[] = {17, 66, 188, 469, 1086};
  for (uint32_t n = 2; n <= 6; ++n) {
    const Verdict verdict = run(process_philosophers(n), options_of("dpor"));
    EXPECT_EQ(verdict.counts.transitions, kTransitions[n - 2]) << n;
  }
}

// What waits for an object that is destroyed meanwhile goes on, and ends the process: whatever is
// still to come races with that, also a signal that wakes nobody, or a post that it does not need.
TEST(Reductions, AWaitThatBecomesAMisuseRacesWithEverything) {
  Script conditions;
  const ObjectId mutex = conditions.add({.kind = ObjectKind::Mutex});
  const ObjectId condition = conditions.add({.kind = ObjectKind::Condition});
  conditions.bodies = {
      {spawn(1), spawn(2), on(OpKind::CondBroadcast, condition), on(OpKind::MutexDestroy, mutex),
       join_child(2)},
      {on(OpKind::CondSignal, condition)},
      {on(OpKind::MutexLock, mutex),
       operate({.kind = OpKind::CondWait, .object = condition, .second = mutex}),
       operate({.kind = OpKind::CondReacquire, .object = condition, .second = mutex}),
       on(OpKind::MutexUnlock, mutex)}};
  Script semaphores;
  const ObjectId gone = semaphores.add({.kind = ObjectKind::Semaphore});
  const ObjectId other = semaphores.add({.kind = ObjectKind::Semaphore});
  semaphores.bodies = {
      {spawn(1), on(OpKind::SemDestroy, gone), on(OpKind::SemPost, other), join_child(1)},
      {on(OpKind::SemWait, gone)}};
  for (const Script& script : {conditions, semaphores}) {
    ScriptedProgram program(script);
    EndStates wanted(program);
    EXPECT_TRUE(explore(wanted, options_of("none"))->complete());
    for (const std::string& search : reductions()) {
      EndStates found(program);
      EXPECT_TRUE(explore(found, options_of(search))->complete());
      EXPECT_EQ(found.all().size(), wanted.all().size()) << search << "\n" << to_string(script);
    }
  }
}

TEST(Reductions, TheOrdersOfCriticalSections) {
  for (const std::string& search : reductions()) {
    EXPECT_EQ(run(lock_counter(3, 1), options_of(search)).counts.executions, 6u) << search;
    EXPECT_EQ(run(lock_counter(4, 1), options_of(search)).counts.executions, 24u) << search;
    EXPECT_EQ(run(lock_counter(3, 2), options_of(search)).counts.executions, 90u) << search;
    EXPECT_EQ(run(lock_counter(2, 5), options_of(search)).counts.executions, 252u) << search;
  }
}

TEST(Reductions, ATossHasMoreOutcomesThanAPlanCanLetSleep) {
  Script script;
  const ObjectId mutex = script.add({.kind = ObjectKind::Mutex});
  script.bodies = {{spawn(1), operate({.kind = OpKind::Toss, .value = 1100}), join_child(1)},
                   {on(OpKind::MutexLock, mutex)}};
  for (const std::string& search : reductions()) {
    const Verdict verdict = run(script, options_of(search));
    EXPECT_GE(verdict.counts.executions, 1101u) << search;
    EXPECT_LE(verdict.counts.executions, 1102u) << search;
    EXPECT_TRUE(verdict.ok()) << search;
  }
}

// Two threads may wait at the same time without meeting; the third waits for their posts.
TEST(Reductions, WaitsCommuteWhereTheValueSuffices) {
  Script script;
  const ObjectId semaphore = script.add({.kind = ObjectKind::Semaphore, .value = 3});
  const Body wait = {on(OpKind::SemWait, semaphore)};
  script.bodies = {{spawn(1), spawn(2), spawn(3), join_child(1), join_child(2), join_child(3)},
                   wait,
                   wait,
                   wait};
  for (const std::string& search : search_names()) {
    if (!takes_conditional(search)) continue;
    SearchOptions options = options_of(search);
    EXPECT_EQ(run(script, options).counts.executions, 6u) << search;
    options.conditional = true;
    EXPECT_EQ(run(script, options).counts.executions, 1u) << search;
  }
}

// Only one toss in four leads to the second mutex, so the first executions know nothing of it.
// The owner of a robust mutex locks a mutex that is gone: it dies, and others can have the robust
// one.
TEST(Reductions, AMisuseCommutesWithNothingThatItsEndTouches) {
  Script script;
  const ObjectId robust = script.add({.kind = ObjectKind::Mutex, .robust = true});
  const ObjectId gone = script.add({.kind = ObjectKind::Mutex});
  script.bodies = {{on(OpKind::MutexDestroy, gone), fork_process(1),
                    operate({.kind = OpKind::MutexLock, .flags = kTry, .object = robust})},
                   {on(OpKind::MutexLock, robust), on(OpKind::MutexLock, gone)}};
  ScriptedProgram program(script);
  EndStates wanted(program);
  EXPECT_TRUE(explore(wanted, options_of("none"))->complete());
  for (const std::string& search : reductions()) {
    SearchOptions options = options_of(search);
    options.conditional = takes_conditional(search);
    EndStates found(program);
    EXPECT_TRUE(explore(found, options)->complete());
    EXPECT_EQ(found.all().size(), wanted.all().size()) << search;
  }
}

TEST(Reductions, AFootprintThatGrowsMakesTheSearchStartAgain) {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  const ObjectId b = script.add({.kind = ObjectKind::Mutex});
  script.bodies = {{spawn(1), spawn(2), join_child(1), join_child(2)},
                   {on(OpKind::MutexLock, a), operate({.kind = OpKind::Toss, .value = 3}),
                    go_to(5, Instruction::Test::ValueIsNot, 3), on(OpKind::MutexLock, b),
                    on(OpKind::MutexUnlock, b), on(OpKind::MutexUnlock, a)},
                   {on(OpKind::MutexLock, b), on(OpKind::MutexLock, a), on(OpKind::MutexUnlock, a),
                    on(OpKind::MutexUnlock, b)}};
  const Verdict truth = run(script, options_of("none"));
  const Verdict verdict = run(script, options_of("persistent"));
  ASSERT_EQ(truth.findings.size(), 1u);
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].sighting, truth.findings[0].sighting);
  EXPECT_LT(verdict.counts.transitions, verdict.counts.steps);
}

TEST(Reductions, ABoundIsExactAndADepthSaysWhatItCosts) {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  const Body forever = {on(OpKind::MutexLock, a), on(OpKind::MutexUnlock, a), go_to(0)};
  script.bodies = {{spawn(1), spawn(2), join_child(1)}, forever, forever};
  for (const std::string& search : reductions()) {
    SearchOptions options = options_of(search);
    options.limits.bound = 4;
    const Verdict bounded = run(script, options);
    EXPECT_EQ(bounded.guarantee, Guarantee::Bounded) << search;
    EXPECT_EQ(bounded.counts.executions, 6u) << search;
    options.limits.bound = 0;
    options.limits.depth = 6;
    const Verdict cut = run(script, options);
    EXPECT_EQ(cut.guarantee, Guarantee::Bounded) << search;
    EXPECT_EQ(cut.why_incomplete.at(0).kind, WhyIncomplete::DepthUnderReduction);
  }
}

TEST(Reductions, AWrongDependencyIsSeenInTheEndStates) {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  const Instruction try_lock = operate({.kind = OpKind::MutexLock, .flags = kTry, .object = a});
  script.bodies = {{spawn(1), spawn(2), join_child(1), join_child(2)}, {try_lock}, {try_lock}};
  for (const char* search : {"sleep", "persistent", "dpor"}) {
    ScriptedProgram program(script);
    EndStates all(program);
    EXPECT_TRUE(explore(all, options_of("none")));
    EXPECT_EQ(all.all().size(), 2u);
    EndStates right(program);
    EXPECT_TRUE(explore(right, options_of(search)));
    EXPECT_EQ(right.all().size(), 2u) << search;
    program.forget_accesses_to(a);
    EndStates wrong(program);
    EXPECT_TRUE(explore(wrong, options_of(search)));
    EXPECT_EQ(wrong.all().size(), 1u) << search;
  }
}

}  // namespace
}  // namespace mazurka
