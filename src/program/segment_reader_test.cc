#include "program/segment_reader.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <utility>

#include "protocol/batch.h"
#include "protocol/segment.h"

namespace mazurka {
namespace {

// A segment with one step of one thread, before a program writes over it.
class SegmentReaderTest : public testing::Test {
 protected:
  SegmentReaderTest() {
    void* const memory = mmap(nullptr, sizeof(Segment), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    segment = static_cast<Segment*>(memory);  // all of it zero, as a new one is
    segment->magic = segment->canary = segment->last_canary = kSegmentMagic;
    segment->version = kVersion;
    segment->logs[0].step_count = 1;
    step().op = {.kind = OpKind::FileUse, .object = ObjectId{1}};
  }
  ~SegmentReaderTest() override { munmap(segment, sizeof(Segment)); }

  LoggedStep& step() { return segment->steps[0]; }
  bool reads() { return read_execution(*segment, 0, execution); }

  Segment* segment = nullptr;
  Execution execution;
};

TEST_F(SegmentReaderTest, ReadsAnOperationWithItsParts) {
  segment->world.parts[3] = semaphore_part(ObjectId{7}, 2);
  step().op.part_begin = 3;
  step().op.part_count = 1;
  ASSERT_TRUE(reads());
  ASSERT_EQ(execution.transitions.size(), 1u);
  ASSERT_EQ(execution.transitions[0].parts.size(), 1u);
  EXPECT_EQ(execution.transitions[0].parts[0].object, ObjectId{7});
}

TEST_F(SegmentReaderTest, NoticesAnOperationOnWhatIsNoObject) {
  step().op.object = ObjectId{kMaxObjects};
  EXPECT_FALSE(reads());
  step().op.object = kNoObject;
  EXPECT_TRUE(reads());
  step().op.second = ObjectId{kMaxObjects};
  EXPECT_FALSE(reads());
}

TEST_F(SegmentReaderTest, NoticesPartsThatAreNone) {
  step().op.part_count = 1;
  segment->world.parts[0].object = ObjectId{kMaxObjects};
  EXPECT_FALSE(reads());
  segment->world.parts[0].object = ObjectId{0};
  EXPECT_TRUE(reads());
  step().op.part_begin = kMaxParts;
  EXPECT_FALSE(reads());
}

TEST_F(SegmentReaderTest, NoticesAccessesThatAreNone) {
  step().access_begin = 5;
  step().access_count = 2;
  segment->accesses[5] = {thread_resource(ThreadId{3}), Mode::Add, {}};
  segment->accesses[6] = {object_resource(ObjectId{kMaxObjects - 1}), Mode::Write, {}};
  ASSERT_TRUE(reads());
  ASSERT_EQ(execution.transitions[0].accesses.size(), 2u);
  EXPECT_EQ(execution.transitions[0].accesses[0].resource, thread_resource(ThreadId{3}));
  EXPECT_EQ(execution.transitions[0].accesses[1].mode, Mode::Write);
  for (const int mode : {3, 4, 127, 255}) {
    segment->accesses[5].mode = static_cast<Mode>(mode);
    EXPECT_FALSE(reads());
  }
  segment->accesses[5].mode = Mode::Read;
  segment->accesses[6].resource.index = kMaxObjects;
  EXPECT_FALSE(reads());
  segment->accesses[6].resource.index = 0;
  EXPECT_TRUE(reads());
  step().access_begin = kMaxAccesses - 1;
  EXPECT_FALSE(reads());
}

// Executions are read over others.
TEST_F(SegmentReaderTest, WhatAnotherExecutionHadIsGone) {
  segment->logs[0].thread_end = 1;
  segment->logs[0].creation_end = 1;
  segment->creations[0].position = 1;
  LoggedThread& thread = segment->logged_threads[0];
  thread.pending = {.kind = OpKind::Semop, .part_count = 1};
  thread.access_count = thread.frame_count = 1;
  thread.name[0] = 'a';
  step().op.part_count = step().enabled_count = step().text = 1;
  step().frame_count = 1;
  segment->text[1] = 'a';
  for (const bool is_damaged : {false, true}) {
    step().frame_begin = is_damaged ? kMaxFrames : 0;
    ASSERT_EQ(reads(), !is_damaged);
    ASSERT_EQ(execution.transitions[0].parts.size(), 1u);
    ASSERT_EQ(execution.transitions[0].after.creations.empty(), is_damaged);
    const LoggedStep with_all = std::exchange(step(), {});
    step().choice.thread = kMainThread;
    const LoggedThread thread_with_all = std::exchange(thread, {});
    segment->logs[0].creation_end = 0;
    ASSERT_TRUE(reads());
    const Transition& made = execution.transitions[0];
    EXPECT_TRUE(made.parts.empty() && made.enabled.empty() && made.text.empty() &&
                made.accesses.empty());
    EXPECT_TRUE(made.place.stack.empty() && made.after.creations.empty());
    const ThreadAtEnd& end = execution.threads[0];
    EXPECT_TRUE(end.parts.empty() && end.possible_accesses.empty() && end.place.stack.empty() &&
                end.name.empty());
    step() = with_all;
    thread = thread_with_all;
    segment->logs[0].creation_end = 1;
  }
}

TEST_F(SegmentReaderTest, SaysWhichRaritiesThereAre) {
  ASSERT_TRUE(reads());
  EXPECT_EQ(execution.rarities, 0);
  step().effect.misuse = Misuse::DestroyBusy;
  ASSERT_TRUE(reads());
  EXPECT_EQ(execution.rarities, kRareEffects);
  step().effect.misuse = Misuse::None;
  step().choice.outcome = kTakesFirst;
  ASSERT_TRUE(reads());
  EXPECT_EQ(execution.rarities, kRareEffects);
  step().choice.outcome = 0;
  step().op.kind = OpKind::Crash;
  segment->logs[0].thread_end = 1;
  segment->logged_threads[0].pending.kind = OpKind::WaitForOthers;
  ASSERT_TRUE(reads());
  EXPECT_EQ(execution.rarities, kRareFailures | kRareWaits);
  segment->logged_threads[0].pending.kind = OpKind::SignalSend;
  ASSERT_TRUE(reads());
  EXPECT_EQ(execution.rarities, kRareFailures | kRareSignalCalls);
  step().op.kind = OpKind::kCount;
  ASSERT_FALSE(reads());
  EXPECT_EQ(execution.rarities, kAnyRarity);
}

TEST_F(SegmentReaderTest, NoticesThreadsThatBeginBehindTheLog) {
  segment->logs[0].thread_begin = kMaxLoggedThreads;
  EXPECT_TRUE(reads());
  segment->logs[0].thread_begin = kMaxLoggedThreads + 1;
  EXPECT_FALSE(reads());
}

TEST_F(SegmentReaderTest, NoticesMoreNamesThanCanBe) {
  segment->names.thread_count = kMaxThreads + 1;
  EXPECT_FALSE(reads());
  segment->names.thread_count = 0;
  segment->names.object_count = kMaxObjects + 1;
  EXPECT_FALSE(reads());
}

// Where a program broke off, the tool keeps its log in the runtime's place.
TEST_F(SegmentReaderTest, ALogIsKeptOfAProgramThatWroteOverIt) {
  segment->world.create_thread(kMainThread, kNoThread, kMainThread);
  segment->world.threads[0].status = ThreadStatus::AtOperation;
  segment->log.access_end = UINT32_MAX;
  const uint8_t no_bool = 96;
  memcpy(&segment->world.threads[0].killed, &no_bool, sizeof no_bool);
  keep_log(*segment);
  EXPECT_EQ(segment->logs[0].access_end, UINT32_MAX);
  EXPECT_EQ(segment->logged_threads[0].access_count, 0u);
}

TEST_F(SegmentReaderTest, NoticesThatACanaryIsDead) {
  EXPECT_TRUE(reads());
  segment->last_canary = 0;
  EXPECT_FALSE(reads());
}

}  // namespace
}  // namespace mazurka
