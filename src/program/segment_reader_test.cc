#include "program/segment_reader.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "protocol/segment.h"

namespace mazurka {
namespace {

// A segment with one step of one thread, before a program writes over it.
class SegmentReaderTest : public testing::Test {
 protected:
  SegmentReaderTest() {
    void* const memory =
        mmap(nullptr, sizeof(Segment), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
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
  segment->world.parts[3] = {.semaphore = ObjectId{7}, .delta = 2};
  step().op.part_begin = 3;
  step().op.part_count = 1;
  ASSERT_TRUE(reads());
  ASSERT_EQ(execution.transitions.size(), 1u);
  ASSERT_EQ(execution.transitions[0].parts.size(), 1u);
  EXPECT_EQ(execution.transitions[0].parts[0].semaphore, ObjectId{7});
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
  segment->world.parts[0].semaphore = ObjectId{kMaxObjects};
  EXPECT_FALSE(reads());
  segment->world.parts[0].semaphore = ObjectId{0};
  EXPECT_TRUE(reads());
  step().op.part_begin = kMaxParts;
  EXPECT_FALSE(reads());
}

TEST_F(SegmentReaderTest, NoticesThatACanaryIsDead) {
  EXPECT_TRUE(reads());
  segment->last_canary = 0;
  EXPECT_FALSE(reads());
}

}  // namespace
}  // namespace mazurka
