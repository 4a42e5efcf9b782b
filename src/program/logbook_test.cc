#include "program/logbook.h"

#include <gtest/gtest.h>

#include "program/shared_segment.h"
#include "protocol/names.h"

namespace mazurka {
namespace {

// The segment of one instance, and what it shares with the logbook.
struct Instance {
  Instance() : segment(std::move(SharedSegment::create().value())) {
    intern_thread(segment->names, kNoThread, 0);
  }

  ObjectId meet(uint64_t address) {
    bool is_new = false;
    return intern_object(segment->names, {0, 0, address}, is_new);
  }

  SharedSegment segment;
  Shared shared;
};

TEST(Logbook, GivesToOthersWhatOneHasMet) {
  Logbook logbook;
  Instance one;
  Instance other;
  const ThreadId thread = intern_thread(one.segment->names, kMainThread, 3);
  const ObjectId object = one.meet(0x1000);
  EXPECT_TRUE(logbook.take(*one.segment, one.shared));
  logbook.give(*other.segment, other.shared);
  EXPECT_EQ(intern_thread(other.segment->names, kMainThread, 3), thread);
  EXPECT_EQ(other.meet(0x1000), object);
  EXPECT_EQ(thread_name(logbook.thread_path(thread)), "T0.3");
}

TEST(Logbook, WhoComesSecondForgetsItsNamesAndGetsTheOthers) {
  Logbook logbook;
  Instance one;
  Instance other;
  ASSERT_TRUE(logbook.take(*one.segment, one.shared));
  logbook.give(*other.segment, other.shared);
  const ObjectId first = one.meet(0x1000);
  EXPECT_EQ(other.meet(0x2000), first);  // the same number for another object
  EXPECT_TRUE(logbook.take(*one.segment, one.shared));
  EXPECT_FALSE(logbook.take(*other.segment, other.shared));
  logbook.give(*other.segment, other.shared);
  EXPECT_EQ(other.meet(0x1000), first);
  EXPECT_NE(other.meet(0x2000), first);
  EXPECT_TRUE(logbook.take(*other.segment, other.shared));
}

TEST(Logbook, NothingNewIsNoConflictHoweverMuchTheOthersHaveMet) {
  Logbook logbook;
  Instance one;
  Instance other;
  ASSERT_TRUE(logbook.take(*one.segment, one.shared));
  logbook.give(*other.segment, other.shared);
  one.meet(0x1000);
  EXPECT_TRUE(logbook.take(*one.segment, one.shared));
  EXPECT_TRUE(logbook.take(*other.segment, other.shared));
}

}  // namespace
}  // namespace mazurka
