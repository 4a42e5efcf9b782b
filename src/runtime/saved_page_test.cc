// Pages get their old bytes back, whichever of their lines are zeroes, then and now.
#include "runtime/saved_page.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace mazurka {
namespace {

struct alignas(kPage) Page {
  char bytes[kPage] = {};
};

// About half of the lines stay zeroes; of the others only one byte may differ.
void scribble(Page& page, std::mt19937& random) {
  for (size_t line = 0; line < kPage / kLine; ++line) {
    if (random() % 2 == 0) continue;
    page.bytes[line * kLine + random() % kLine] = static_cast<char>(random());
    if (random() % 2 == 0) memset(page.bytes + line * kLine, static_cast<char>(random()), kLine);
  }
}

TEST(SavedPage, RestoresWhateverWasWritten) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    Page saved;
    scribble(saved, random);
    Page page = saved;
    scribble(page, random);
    restore_page(page.bytes, saved.bytes, lines_in_use(saved.bytes));
    ASSERT_EQ(memcmp(page.bytes, saved.bytes, kPage), 0);
  }
}

TEST(SavedPage, WithoutLinesInUseItIsClearedAndNothingIsRead) {
  Page page;
  memset(page.bytes, 1, kPage);
  restore_page(page.bytes, nullptr, 0);
  EXPECT_EQ(lines_in_use(page.bytes), 0u);
}

TEST(SavedPage, EachByteMakesItsLineOneInUse) {
  for (size_t i = 0; i < kPage; ++i) {
    Page page;
    page.bytes[i] = 1;
    ASSERT_EQ(lines_in_use(page.bytes), uint64_t{1} << i / kLine);
  }
}

}  // namespace
}  // namespace mazurka
