#include "explore/findings/findings.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "explore/trace/operation_kinds.h"

namespace mazurka {
namespace {

Transition transition(uint16_t thread, OpKind kind, uint32_t object = 0, uint64_t pc = 1) {
  Transition t;
  t.choice.thread = ThreadId(thread);
  t.process = kMainThread;
  t.op.kind = kind;
  t.op.object = ObjectId(object);
  t.place.pc = pc;
  return t;
}

ThreadAtEnd thread(uint16_t id, ThreadStatus status, uint32_t object = 0, uint64_t pc = 1) {
  ThreadAtEnd t;
  t.id = ThreadId(id);
  t.status = status;
  t.pending.kind = OpKind::MutexLock;
  t.pending.object = ObjectId(object);
  t.place.pc = pc;
  return t;
}

Execution deadlock() {
  Execution e;
  e.transitions = {transition(0, OpKind::MutexLock, 0), transition(1, OpKind::MutexLock, 1)};
  e.end = End::Deadlock;
  e.threads = {thread(0, ThreadStatus::AtOperation, 1, 10),
               thread(1, ThreadStatus::AtOperation, 0, 20), thread(2, ThreadStatus::AtExit)};
  return e;
}

TEST(Findings, ACleanExecutionHasNone) {
  Execution e;
  e.transitions = {transition(0, OpKind::MutexLock)};
  e.first_process_ended = true;
  EXPECT_TRUE(sightings(e).empty());
}

TEST(Findings, ADeadlockIsTheSetOfBlockedThreads) {
  const std::vector<Sighting> found = sightings(deadlock());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::Deadlock);
  EXPECT_EQ(found[0].length, 2u);
  const std::vector<Standpoint> expected = {{ThreadId(0), 10, ObjectId(1)},
                                            {ThreadId(1), 20, ObjectId(0)}};
  EXPECT_EQ(found[0].standpoints, expected);
}

TEST(Findings, AnotherScheduleOfTheSameDeadlockIsTheSameFinding) {
  Execution other = deadlock();
  std::swap(other.transitions[0], other.transitions[1]);
  other.transitions.push_back(transition(2, OpKind::MutexLock, 7));
  std::swap(other.threads[0], other.threads[1]);
  EXPECT_EQ(sightings(deadlock())[0], sightings(other)[0]);
  other.threads[0].place.pc = 99;
  EXPECT_NE(sightings(deadlock())[0], sightings(other)[0]);
}

TEST(Findings, ThePartsOfASemopAreWhatItWaitsFor) {
  Execution e = deadlock();
  e.threads.resize(1);
  e.threads[0].parts = {{ObjectId(5), -1, 0, 0, 0}, {ObjectId(4), -1, 0, 0, 1}};
  const std::vector<Standpoint> expected = {{ThreadId(0), 10, ObjectId(4)},
                                            {ThreadId(0), 10, ObjectId(5)}};
  EXPECT_EQ(sightings(e)[0].standpoints, expected);
}

TEST(Findings, AFailedAssertionIsFoundWhereItHappened) {
  Execution e;
  e.transitions = {transition(0, OpKind::MutexLock), transition(1, OpKind::Assertion, 0, 33),
                   transition(0, OpKind::MutexUnlock)};
  e.first_process_ended = true;
  e.wait_status = 6;  // not a second finding
  const std::vector<Sighting> found = sightings(e);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::Assertion);
  EXPECT_EQ(found[0].length, 2u);
  EXPECT_EQ(culprits(found[0], e)[0].place->pc, 33u);
}

TEST(Findings, AMisuseMayBeAnOperationOrAnEffect) {
  Execution e;
  e.transitions = {transition(0, OpKind::MutexUnlock, 3, 5), transition(0, OpKind::Misuse, 4, 6),
                   transition(0, OpKind::MutexUnlock, 3, 5)};
  e.transitions[0].effect.misuse = Misuse::UnlockNotOwned;
  e.transitions[2].effect.misuse = Misuse::UnlockNotOwned;
  const std::vector<Sighting> found = sightings(e);
  ASSERT_EQ(found.size(), 2u);  // the third is the first again
  EXPECT_EQ(found[0].kind, FindingKind::Misuse);
  EXPECT_EQ(found[0].length, 1u);
  EXPECT_EQ(found[1].length, 2u);
}

// What is not among the rarities of an execution is not looked for: so these must know of all kinds
// of failures, and of all that is asked for elsewhere.
TEST(Findings, NothingIsLeftOutBecauseOfTheRarities) {
  for (uint8_t kind = 0; kind < static_cast<uint8_t>(OpKind::kCount); ++kind) {
    for (const Misuse misuse : {Misuse::None, Misuse::UnlockNotOwned}) {
      for (const Outcome outcome :
           {Outcome{0}, kTakesFirst, Outcome{kTakesFirst | 3}, Outcome{kTakesFirst | 0x1003}}) {
        for (const int64_t value : {0, 1, SIGCHLD, 1 << (SIGCHLD - 1)}) {
          Execution e;
          e.transitions = {transition(0, OpKind::MutexLock), transition(0, OpKind{kind})};
          e.transitions[1].effect = {.misuse = misuse, .value = 1};
          e.transitions[1].choice.outcome = outcome;
          e.transitions[1].op.value = value;
          e.threads = {thread(0, ThreadStatus::AtOperation)};
          e.threads[0].pending.kind = OpKind{kind};
          Execution noted = e;
          note_rarities(noted);
          EXPECT_EQ(sightings(noted), sightings(e)) << name_of(OpKind{kind});
          EXPECT_EQ(uses_signals(noted), uses_signals(e)) << name_of(OpKind{kind});
          EXPECT_EQ(waits_for_others(noted), waits_for_others(e)) << name_of(OpKind{kind});
        }
      }
    }
  }
}

TEST(Findings, AStatusOtherThanZeroIsOneOnlyForTheFirstProcess) {
  Execution e;
  e.transitions = {transition(0, OpKind::MutexLock), transition(2, OpKind::ProcessEnd, 0, 44)};
  e.threads = {thread(0, ThreadStatus::AtExit, 0, 55)};
  e.transitions[1].process = ThreadId(2);
  EXPECT_TRUE(sightings(e).empty());
  e.first_process_ended = true;
  e.wait_status = 3 << 8;
  ASSERT_EQ(sightings(e).size(), 1u);
  EXPECT_EQ(sightings(e)[0].kind, FindingKind::Exit);
  EXPECT_EQ(sightings(e)[0].standpoints[0].pc, 55u);
}

TEST(Findings, EveryBadEndHasItsKind) {
  const std::pair<End, FindingKind> kinds[] = {{End::Livelock, FindingKind::Livelock},
                                               {End::Nondeterminism, FindingKind::Nondeterminism},
                                               {End::Lost, FindingKind::Crash},
                                               {End::SegmentDamaged, FindingKind::Memory}};
  for (const auto& [end, kind] : kinds) {
    Execution e = deadlock();
    e.end = end;
    e.culprit = ThreadId(1);
    ASSERT_EQ(sightings(e).size(), 1u);
    EXPECT_EQ(sightings(e)[0].kind, kind);
    EXPECT_EQ(sightings(e)[0].standpoints.at(0).pc, 20u);
    e.culprit = kNoThread;
    EXPECT_TRUE(sightings(e)[0].standpoints.empty());
  }
}

TEST(Findings, ADivergingThreadIsKnownByItsLastOperation) {
  for (const End end : {End::Divergence, End::Hung}) {
    Execution e = deadlock();
    e.end = end;
    e.culprit = ThreadId(1);
    const std::vector<Sighting> found = sightings(e);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, FindingKind::Divergence);
    e.threads[1].place.pc = 77;  // where it was stopped this time
    EXPECT_EQ(sightings(e)[0], found[0]);
    EXPECT_EQ(culprits(found[0], e).at(0).place->pc, 77u);
    e.transitions[1].place.pc = 78;
    EXPECT_NE(sightings(e)[0], found[0]);
  }
}

TEST(Findings, BoundsAndTroubleAreNone) {
  for (const End end : {End::Bounded, End::DepthReached, End::Trouble}) {
    Execution e = deadlock();
    e.end = end;
    EXPECT_TRUE(sightings(e).empty());
  }
}

TEST(Findings, KindsHaveNamesAndBack) {
  for (int i = 0; i <= static_cast<int>(FindingKind::Tester); ++i) {
    const auto kind = static_cast<FindingKind>(i);
    EXPECT_EQ(finding_kind_of(name_of(kind)), kind);
  }
  EXPECT_EQ(finding_kind_of("dedlock"), std::nullopt);
}

MemoryConflict race(uint16_t first, uint64_t first_pc, uint16_t second, uint64_t second_pc) {
  MemoryConflict conflict;
  conflict.address = 0x1000;
  conflict.where.storage = Storage::Module;
  conflict.first.thread = ThreadId(first);
  conflict.first.place.pc = first_pc;
  conflict.second.thread = ThreadId(second);
  conflict.second.place.pc = second_pc;
  return conflict;
}

TEST(Findings, RaceIsTheSameWhateverTheThreads) {
  Execution execution;
  execution.conflicts = {race(1, 10, 2, 20), race(3, 20, 1, 10), race(2, 20, 2, 20)};
  const std::vector<Sighting> found = sightings(execution);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(threads_of(found[0]), ThreadPair(ThreadId(1), ThreadId(2)));
  EXPECT_EQ(found[0].others, std::vector<ThreadPair>{ThreadPair(ThreadId(1), ThreadId(3))});
}

TEST(Findings, RacesForTwoVariablesAreTwo) {
  Execution execution;
  execution.conflicts = {race(1, 10, 2, 20), race(1, 10, 2, 20)};
  execution.conflicts[1].address += 8;
  EXPECT_EQ(sightings(execution).size(), 2u);
}

}  // namespace
}  // namespace mazurka
