// The searches with one execution for each trace, on programs whose traces are counted by hand: the
// counts of the literature, and the smallest programs on which a careless version goes wrong.
#include "explore/optimal/optimal_search.h"

#include <gtest/gtest.h>

#include "testing/searches/recording_program.h"

namespace mazurka {
namespace {

Instruction on(OpKind kind, ObjectId object, uint8_t flags = 0) {
  return operate({.kind = kind, .flags = flags, .object = object});
}
Instruction lock(ObjectId m, uint8_t flags = 0) { return on(OpKind::MutexLock, m, flags); }
Instruction unlock(ObjectId m) { return on(OpKind::MutexUnlock, m); }
Instruction toss(int64_t largest) { return operate({.kind = OpKind::Toss, .value = largest}); }

ObjectId mutex(Script& script, MutexType type = MutexType::Normal) {
  return script.add({.kind = ObjectKind::Mutex, .mutex_type = type});
}
ObjectId semaphore(Script& script, int64_t value) {
  return script.add({.kind = ObjectKind::Semaphore, .value = value});
}

// The bodies run side by side, as processes of their own: so that none of them ends the others. The
// first one does nothing else, and a process that ends unseen is no transition.
Script beside(Script script, const std::vector<Body>& bodies) {
  script.bodies.assign(1, {});
  for (const Body& body : bodies) {
    script.bodies.push_back(body);
    script.bodies[0].push_back(fork_process(static_cast<uint32_t>(script.bodies.size() - 1)));
  }
  return script;
}

// The same, as threads of one process that is joined together.
Script threads(Script script, const std::vector<Body>& bodies) {
  script.bodies.assign(1, {});
  for (const Body& body : bodies) {
    script.bodies.push_back(body);
    script.bodies[0].push_back(spawn(static_cast<uint32_t>(script.bodies.size() - 1)));
  }
  for (uint32_t i = 1; i <= bodies.size(); ++i) script.bodies[0].push_back(join_child(i));
  return script;
}

struct Searched {
  Verdict verdict;
  Seen seen;
};

Searched run(const Script& script, const std::string& name) {
  RecordingProgram program(script);
  SearchOptions options;
  options.search = name;
  options.keep_going = true;
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return {std::move(*verdict), std::move(program.seen)};
}

// Both execute so many traces, all different, and none in vain.
void expect_traces(const Script& script, uint64_t count) {
  for (const char* name : {"optimal", "wakeup"}) {
    const Searched done = run(script, name);
    EXPECT_EQ(done.verdict.counts.executions, count) << name << "\n" << to_string(script);
    EXPECT_EQ(done.seen.traces.size(), count) << name << "\n" << to_string(script);
    EXPECT_EQ(done.verdict.counts.blocked_executions, 0u) << name << "\n" << to_string(script);
    EXPECT_TRUE(done.verdict.complete());
  }
}

// As many as the plain search sees, and the same.
void expect_all_traces(const Script& script) {
  const Searched plain = run(script, "none");
  for (const char* name : {"optimal", "wakeup"}) {
    const Searched done = run(script, name);
    EXPECT_EQ(done.verdict.counts.executions, plain.seen.traces.size()) << name << "\n"
                                                                        << to_string(script);
    EXPECT_EQ(done.seen.repeated(), 0) << name << "\n" << to_string(script);
    EXPECT_EQ(done.seen.final_states, plain.seen.final_states) << name;
    for (const auto& [trace, times] : plain.seen.traces) EXPECT_TRUE(done.seen.traces.count(trace));
  }
}

// --- the counts of the literature

Body philosopher(const std::vector<ObjectId>& forks, size_t me, bool ordered) {
  const size_t next = (me + 1) % forks.size();
  const ObjectId first = forks[ordered ? std::min(me, next) : me];
  const ObjectId second = forks[ordered ? std::max(me, next) : next];
  return {lock(first), lock(second), unlock(first), unlock(second)};
}

Script philosophers(size_t count, bool ordered, bool processes) {
  Script script;
  std::vector<ObjectId> forks;
  for (size_t i = 0; i < count; ++i) forks.push_back(mutex(script));
  std::vector<Body> bodies;
  for (size_t i = 0; i < count; ++i) bodies.push_back(philosopher(forks, i, ordered));
  return processes ? beside(script, bodies) : threads(script, bodies);
}

TEST(OptimalSearch, Philosophers) {
  for (size_t n = 2; n <= 6; ++n) {
    expect_traces(philosophers(n, false, false), (1u << n) - 1);
    expect_traces(philosophers(n, true, false), (1u << n) - 2);
  }
  for (size_t n = 2; n <= 5; ++n) {
    expect_traces(philosophers(n, false, true), (1u << n) - 1);
    expect_traces(philosophers(n, true, true), (1u << n) - 2);
  }
  EXPECT_EQ(run(philosophers(10, false, false), "optimal").verdict.counts.executions, 1023u);
}

TEST(OptimalSearch, CriticalSectionsOfOneMutex) {
  const auto sections = [](size_t threads_wanted, int repetitions) {
    Script script;
    const ObjectId m = mutex(script);
    Body body;
    for (int i = 0; i < repetitions; ++i) body.insert(body.end(), {lock(m), unlock(m)});
    return threads(script, std::vector<Body>(threads_wanted, body));
  };
  expect_traces(sections(3, 1), 6);
  expect_traces(sections(4, 1), 24);
  expect_traces(sections(3, 2), 90);
  expect_traces(sections(2, 5), 252);
  expect_traces(sections(3, 3), 1680);
}

TEST(OptimalSearch, ReadersCommute) {
  for (uint32_t readers = 2; readers <= 4; ++readers) {
    Script script;
    const ObjectId l = script.add({.kind = ObjectKind::RwLock});
    const Body reader = {on(OpKind::ReadLock, l), on(OpKind::RwUnlock, l)};
    std::vector<Body> bodies(readers, reader);
    bodies.push_back({on(OpKind::WriteLock, l), on(OpKind::RwUnlock, l)});
    const Searched done = run(threads(script, bodies), "optimal");
    EXPECT_EQ(done.verdict.counts.executions, 1u << readers);
    EXPECT_EQ(done.seen.repeated(), 0);
  }
}

TEST(OptimalSearch, ABlockedExecutionIsNoExecution) {
  Script script;
  const ObjectId l = script.add({.kind = ObjectKind::RwLock});
  const Body reader = {on(OpKind::ReadLock, l)};
  const Script all = beside(script, {{on(OpKind::WriteLock, l)}, reader, reader});
  const Searched plain = run(all, "none");
  const Searched done = run(all, "optimal");
  EXPECT_EQ(done.verdict.counts.executions, plain.seen.traces.size());
  EXPECT_EQ(done.seen.repeated(), 0);
  EXPECT_TRUE(done.verdict.complete());
}

// --- what a careless version gets wrong

TEST(OptimalSearch, OperationsThatNeverHappenCountAsRaces) {
  Script script;
  const ObjectId m = mutex(script);
  expect_traces(beside(script, {{lock(m)}, {lock(m)}}), 2);
  expect_traces(beside(script, {{lock(m, kTry)}, {lock(m)}}), 2);
  expect_all_traces(beside(script, {{lock(m), unlock(m)}, {lock(m)}}));
}

TEST(OptimalSearch, OperationsOfThreadsThatAreKilledCountAsRaces) {
  Script script;
  const ObjectId s = semaphore(script, 0);
  script.bodies = {{spawn(1)}, {on(OpKind::SemPost, s)}};
  expect_traces(script, 2);
}

TEST(OptimalSearch, ManyReadersOrOneWriter) {
  Script script;
  const ObjectId l = script.add({.kind = ObjectKind::RwLock});
  const Body reader = {on(OpKind::ReadLock, l)};
  expect_all_traces(beside(script, {reader, reader, {on(OpKind::WriteLock, l)}}));
}

TEST(OptimalSearch, TriesAndTimeoutsAgainstUnlocks) {
  Script script;
  const ObjectId a = mutex(script, MutexType::ErrorCheck);
  const ObjectId b = mutex(script, MutexType::ErrorCheck);
  for (const uint8_t flag : {uint8_t{kTry}, uint8_t{kTimed}}) {
    expect_all_traces(beside(script, {{lock(a, flag)}, {unlock(a)}}));
    expect_all_traces(beside(script, {{lock(a, flag)}, {lock(b, flag)}}));
    expect_all_traces(beside(script, {{lock(a)}, {lock(a, flag)}}));
    expect_all_traces(beside(script, {{unlock(a)}, {toss(1), lock(a, flag)}}));
    expect_all_traces(
        beside(script, {{lock(a, flag), unlock(a)},
                        {lock(b, flag), go_to(3, Instruction::Test::ErrorIsNot, 0), lock(a, flag)},
                        {lock(a, flag)}}));
  }
}

TEST(OptimalSearch, OperationsOnSeveralSemaphores) {
  Script script;
  const ObjectId set = script.add({.kind = ObjectKind::SemSet});
  const ObjectId s[] = {semaphore(script, 1), semaphore(script, 1), semaphore(script, 1)};
  const auto take = [&](std::vector<int> which) {
    std::vector<OpPart> parts;
    for (int i : which) parts.push_back(semaphore_part(s[i], -1));
    return operate(script.with_parts({.kind = OpKind::Semop, .object = set}, parts));
  };
  const std::vector<Body> bodies = {{take({2, 1})}, {take({1, 0})}, {take({0})}};
  expect_all_traces(beside(script, bodies));
}

TEST(OptimalSearch, ConditionsWakeOneOfSeveral) {
  Script script;
  const ObjectId m = mutex(script, MutexType::ErrorCheck);
  const ObjectId cv = script.add({.kind = ObjectKind::Condition});
  const Body waiter = {lock(m), operate({.kind = OpKind::CondWait, .object = cv, .second = m}),
                       operate({.kind = OpKind::CondReacquire, .object = cv, .second = m}),
                       unlock(m)};
  const Body signaller = {on(OpKind::CondSignal, cv), unlock(m)};
  expect_all_traces(beside(script, {{lock(m)}, waiter, signaller}));
  expect_all_traces(beside(script, {waiter, waiter, {on(OpKind::CondSignal, cv)}}));
  expect_all_traces(beside(script, {waiter, waiter, {on(OpKind::CondBroadcast, cv)}}));
  expect_all_traces(beside(
      script, {{on(OpKind::CondSignal, cv), lock(m)}, {on(OpKind::CondSignal, cv)}, waiter}));
}

TEST(OptimalSearch, ALeaveDependsOnItsOwnRoundAlone) {
  Script script;
  const ObjectId b = script.add({.kind = ObjectKind::Barrier, .value = 2});
  Instruction leave = on(OpKind::BarrierLeave, b);
  leave.takes_value = true;
  const Body body = {on(OpKind::BarrierArrive, b), leave};
  expect_traces(threads(script, {body, body}), 2);
  expect_all_traces(threads(script, {body, body, body, body}));
}

// A destroy that comes too early ends the process, so it depends on everything; in time it does
// not.
TEST(OptimalSearch, AccessesThatComeAndGo) {
  Script script;
  const ObjectId m = mutex(script);
  const ObjectId s = semaphore(script, 2);
  const Body section = {lock(m), unlock(m)};
  expect_all_traces(
      threads(script, {{on(OpKind::MutexDestroy, m)}, section, {on(OpKind::SemPost, s)}}));
  expect_all_traces(
      threads(script, {section, {on(OpKind::SemDestroy, s)}, {on(OpKind::SemWait, s)}, {toss(1)}}));
}

TEST(OptimalSearch, AWaitForAnyChild) {
  Script script;
  script.bodies = {{fork_process(1), fork_process(2), operate({.kind = OpKind::WaitChild})},
                   {toss(1)},
                   {toss(0)}};
  expect_all_traces(script);
}

// --- bounds

TEST(OptimalSearch, IsExactUnderABound) {
  Script script;
  const ObjectId m = mutex(script);
  const Body loop = {lock(m), unlock(m), go_to(0)};
  const Script endless = threads(script, {loop, loop});
  for (const char* name : {"optimal", "wakeup"}) {
    RecordingProgram program(endless);
    SearchOptions options;
    options.search = name;
    options.limits.bound = 6;
    const Result<Verdict> verdict = explore(program, options);
    EXPECT_EQ(verdict->guarantee, Guarantee::Bounded);
    EXPECT_EQ(verdict->counts.executions, 20u) << name;  // 6 over 3
  }
}

TEST(OptimalSearch, ADepthThatCutsIsSaid) {
  Script script;
  const ObjectId m = mutex(script);
  const Body loop = {lock(m), unlock(m), go_to(0)};
  RecordingProgram program(threads(script, {loop, loop}));
  SearchOptions options;
  options.search = "optimal";
  options.limits.depth = 8;
  const Result<Verdict> verdict = explore(program, options);
  EXPECT_EQ(verdict->guarantee, Guarantee::Bounded);
  EXPECT_GE(verdict->counts.executions, 16u);
}

// What it costs is the steps after leaving the parent's schedule.
TEST(OptimalSearch, CountsATransitionOnce) {
  Script script;
  const ObjectId m = mutex(script);
  const Searched done = run(beside(script, {{lock(m)}, {lock(m)}}), "optimal");
  EXPECT_EQ(done.verdict.counts.transitions, 2u);
  EXPECT_EQ(done.verdict.counts.steps, 2u);
}

TEST(OptimalSearch, WithYieldsItExecutesEveryInterleaving) {
  Script script;
  const Instruction yield = operate({.kind = OpKind::WaitForOthers});
  const Script yielding = threads(script, {{toss(0), yield, toss(0)}, {toss(0), toss(0)}});
  const Searched plain = run(yielding, "none");
  EXPECT_EQ(run(yielding, "optimal").verdict.counts.executions, plain.verdict.counts.executions);
  EXPECT_EQ(run(yielding, "wakeup").verdict.counts.executions, plain.verdict.counts.executions);
}

}  // namespace
}  // namespace mazurka
