#include "explore/findings/wait_cycles.h"

#include <gtest/gtest.h>

#include "explore/engine/search.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

Instruction on(OpKind kind, ObjectId object, uint8_t flags = 0) {
  return operate({.kind = kind, .flags = flags, .object = object});
}

// The main thread takes a and then b, another one b and then a, as `second` says. A third one has
// an end of its own, and nobody waits for it.
struct Crossing {
  Script script;
  ObjectId a = script.add({.kind = ObjectKind::Mutex});
  ObjectId b = script.add({.kind = ObjectKind::Mutex});
  ObjectId posts = script.add({.kind = ObjectKind::Semaphore});

  explicit Crossing(uint8_t flags = 0) {
    script.bodies = {
        {spawn(1), spawn(2), on(OpKind::SemPost, posts)},
        {on(OpKind::MutexLock, a), on(OpKind::MutexLock, b), on(OpKind::MutexUnlock, b),
         on(OpKind::MutexUnlock, a)},
        {on(OpKind::MutexLock, b), on(OpKind::MutexLock, a, flags), on(OpKind::MutexUnlock, a),
         on(OpKind::MutexUnlock, b)},
    };
  }
};

Verdict check(const Script& script, const std::string& search, uint32_t bound = 0) {
  SearchOptions options;
  options.search = search;
  options.keep_going = true;
  options.limits.bound = bound;
  ScriptedProgram program(script);
  Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return std::move(*verdict);
}

std::vector<ThreadId> threads_of(const Finding& finding) {
  std::vector<ThreadId> threads;
  for (const Standpoint& point : finding.sighting.standpoints) threads.push_back(point.thread);
  return threads;
}

// The first thread ends the process, whatever the others do.
TEST(WaitCycles, AreFoundBeforeTheProcessEnds) {
  for (const std::string& search : search_names()) {
    const Verdict verdict = check(Crossing().script, search);
    ASSERT_EQ(verdict.findings.size(), 1u) << search;
    const Finding& finding = verdict.findings[0];
    EXPECT_EQ(finding.kind(), FindingKind::Deadlock) << search;
    EXPECT_EQ(threads_of(finding), (std::vector{ThreadId(1), ThreadId(2)})) << search;
    EXPECT_EQ(finding.schedule.size(), 2u) << search << ": a lock of each";
    EXPECT_EQ(culprits(finding).size(), 2u) << search;
  }
}

TEST(WaitCycles, AreFoundWhereOthersReachTheirBound) {
  Crossing crossing;
  crossing.script.bodies[0] = {spawn(1), spawn(2), on(OpKind::SemPost, crossing.posts),
                               on(OpKind::SemPost, crossing.posts),
                               on(OpKind::SemPost, crossing.posts)};
  for (const std::string& search : search_names()) {
    const Verdict verdict = check(crossing.script, search, 2);
    ASSERT_EQ(verdict.findings.size(), 1u) << search;
    EXPECT_EQ(threads_of(verdict.findings[0]), (std::vector{ThreadId(1), ThreadId(2)})) << search;
  }
}

TEST(WaitCycles, AWaitWithATimeoutMakesNone) {
  for (const uint8_t flags : {kTry, kTimed}) {
    Crossing crossing(flags);
    // It unlocks only what it has got.
    crossing.script.bodies[2] = {on(OpKind::MutexLock, crossing.b),
                                 on(OpKind::MutexLock, crossing.a, flags),
                                 on(OpKind::MutexUnlock, crossing.b)};
    EXPECT_TRUE(check(crossing.script, "none").ok());
  }
}

TEST(WaitCycles, AThreadMayWaitForItself) {
  Crossing crossing;
  crossing.script.bodies = {{spawn(1), on(OpKind::SemPost, crossing.posts)},
                            {on(OpKind::MutexLock, crossing.a), on(OpKind::MutexLock, crossing.a)}};
  for (const std::string& search : search_names()) {
    const Verdict verdict = check(crossing.script, search);
    ASSERT_EQ(verdict.findings.size(), 1u) << search;
    EXPECT_EQ(threads_of(verdict.findings[0]), std::vector{ThreadId(1)}) << search;
  }
}

// Somebody who is no part of a cycle may still give the lock back: that he did not, because the
// process ended, is no deadlock.
TEST(WaitCycles, WaitingForOneWhoCanGoOnIsNone) {
  Crossing crossing;
  crossing.script.bodies[2] = {on(OpKind::MutexLock, crossing.a), on(OpKind::MutexLock, crossing.b),
                               on(OpKind::MutexUnlock, crossing.b),
                               on(OpKind::MutexUnlock, crossing.a)};
  EXPECT_TRUE(check(crossing.script, "none").ok());
}

}  // namespace
}  // namespace mazurka
