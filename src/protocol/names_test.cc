#include "protocol/names.h"

#include <gtest/gtest.h>

#include <memory>

namespace mazurka {
namespace {

std::unique_ptr<Names> new_names() {
  auto names = std::make_unique<Names>();
  *names = {};
  intern_thread(*names, kNoThread, 0);
  return names;
}

TEST(Names, TheSamePathIsTheSameThread) {
  auto names = new_names();
  const ThreadId first = intern_thread(*names, kMainThread, 1);
  const ThreadId second = intern_thread(*names, kMainThread, 2);
  EXPECT_NE(first, second);
  EXPECT_EQ(intern_thread(*names, kMainThread, 1), first);
  EXPECT_NE(intern_thread(*names, first, 1), intern_thread(*names, second, 1));
}

TEST(Names, SlotsDoNotDependOnTheOrderOfMeeting) {
  auto one = new_names();
  auto other = new_names();
  const auto slot = [](Names& names, uint32_t parent, uint32_t ordinal) {
    const ThreadId up = intern_thread(names, kMainThread, parent);
    return names.threads[index(intern_thread(names, up, ordinal))].slot;
  };
  const uint16_t a = slot(*one, 1, 1);
  const uint16_t b = slot(*one, 2, 1);
  EXPECT_EQ(slot(*other, 2, 1), b);
  EXPECT_EQ(slot(*other, 1, 1), a);
  EXPECT_NE(a, b);
}

// A program may have written over them.
TEST(Names, ATableWithoutAnEmptyEntryIsSearchedOnce) {
  auto names = new_names();
  for (uint32_t& entry : names->table) entry = UINT32_MAX;
  bool is_new = false;
  EXPECT_EQ(intern_object(*names, {.space = 0, .generation = 0, .address = 7}, is_new),
            ObjectId{0});
  EXPECT_TRUE(is_new);
}

TEST(Names, AThreadOfNoThreadHasNoName) {
  auto names = new_names();
  EXPECT_EQ(intern_thread(*names, ThreadId{kMaxThreads}, 1), kNoThread);
}

TEST(Names, AFullThreadTableSaysSo) {
  auto names = new_names();
  for (uint32_t i = 1; i < kMaxThreads; ++i)
    EXPECT_NE(intern_thread(*names, kMainThread, i), kNoThread);
  EXPECT_EQ(intern_thread(*names, kMainThread, kMaxThreads), kNoThread);
}

TEST(Names, ObjectsDifferBySpaceAddressAndGeneration) {
  auto names = new_names();
  bool is_new = false;
  const ObjectId a = intern_object(*names, {0, 0, 0x1000}, is_new);
  EXPECT_TRUE(is_new);
  EXPECT_NE(intern_object(*names, {1, 0, 0x1000}, is_new), a);
  EXPECT_NE(intern_object(*names, {0, 1, 0x1000}, is_new), a);
  EXPECT_NE(intern_object(*names, {0, 0, 0x1008}, is_new), a);
  EXPECT_EQ(intern_object(*names, {0, 0, 0x1000}, is_new), a);
  EXPECT_FALSE(is_new);
}

TEST(Names, AFullObjectTableSaysSo) {
  auto names = new_names();
  bool is_new = false;
  for (uint32_t i = 0; i < kMaxObjects; ++i)
    ASSERT_NE(intern_object(*names, {0, 0, i * 64ull}, is_new), kNoObject);
  EXPECT_EQ(intern_object(*names, {0, 1, 0}, is_new), kNoObject);
  EXPECT_NE(intern_object(*names, {0, 0, 64}, is_new), kNoObject);
}

}  // namespace
}  // namespace mazurka
