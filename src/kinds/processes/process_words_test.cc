#include "kinds/processes/process_words.h"

#include "objects/bad_memory.h"
#include "objects/words_fixture.h"

namespace mazurka {
namespace {

class ProcessWords : public WordsFixture {};

TEST_F(ProcessWords, AJoinWaitsForTheEndOfItsThread) {
  const Operation join{.kind = OpKind::Join, .target = b};
  EXPECT_EQ(operation(join), "join T1");
  EXPECT_EQ(holders(a, join), std::vector{b});
  EXPECT_STREQ(words_of(OpKind::Join).holders_are, "waits for the end of ");
}

TEST_F(ProcessWords, AWaitForAnyChildNamesThoseThatLive) {
  const ThreadId first{3};
  const ThreadId second{4};
  for (const ThreadId child : {first, second}) world.create_thread(child, a, child);
  world.process(first).ended = true;
  const Operation wait{.kind = OpKind::WaitChild};
  EXPECT_TRUE(holders(a, wait).empty());
  EXPECT_EQ(why(a, wait).hopes, std::vector{second});
  EXPECT_EQ(outcome(wait, 3), ", returns T3");
}

TEST_F(ProcessWords, AMemoryErrorIsNoPlainCrash) {
  Operation crash{.kind = OpKind::Crash};
  const auto note = [&](const char* said) { return words_of(crash.kind).note(crash, {}, said); };
  EXPECT_EQ(operation(crash), "crash");
  EXPECT_EQ(note("freed twice: block"), "freed twice: block");
  crash.value = kBadMemory;
  EXPECT_EQ(operation(crash), "memory error");
  EXPECT_EQ(note("freed twice: block"), "freed twice");
}

TEST_F(ProcessWords, WhoStandsBeforeNothingIsAtExitAndWhoYieldsSleeps) {
  EXPECT_EQ(operation({}), "exit");
  EXPECT_EQ(operation({.kind = OpKind::Pause, .value = 1'000}), "yield");
  EXPECT_EQ(operation({.kind = OpKind::Pause, .value = 1'000'000}), "sleep");
  EXPECT_TRUE(words_of(OpKind::Pause).sleeps);
  EXPECT_EQ(operation({.kind = OpKind::WaitForOthers}), "wait for others");
  EXPECT_TRUE(words_of(OpKind::WaitForOthers).sleeps);
}

TEST_F(ProcessWords, ATossSaysItsResult) { EXPECT_EQ(outcome({.kind = OpKind::Toss}, 2), ": 2"); }

TEST_F(ProcessWords, ATossForNoReasonSaysWhetherItHappened) {
  EXPECT_EQ(outcome({.kind = OpKind::Toss, .flags = kForNoReason}, 0), ": no");
  EXPECT_EQ(outcome({.kind = OpKind::Toss, .flags = kForNoReason}, 1), ": yes");
  EXPECT_EQ(outcome({.kind = OpKind::Toss, .flags = kForSignals}, 0), "");
  EXPECT_EQ(outcome({.kind = OpKind::Toss, .flags = kForReuse}, 2), ": 2");
  EXPECT_EQ(operation({.kind = OpKind::Toss, .flags = kForReuse}), "reuse of what was given back");
}

TEST_F(ProcessWords, AnEventHasNothingToShowAndANameLeadsToSomething) {
  EXPECT_EQ(type_of(Object()), "");
  EXPECT_TRUE(says_nothing(world.object(make(ObjectKind::Event))));
  const ObjectId name = make(ObjectKind::Named);
  EXPECT_EQ(value(name), "there is no such name");
  world.object(name).named = {.exists = true, .target = ObjectId{7}};
  EXPECT_EQ(value(name), "leads to o7");
}

}  // namespace
}  // namespace mazurka
