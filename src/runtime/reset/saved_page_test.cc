// Pages get their old bytes back, whichever of their parts are zeroes, then and now.
#include "runtime/reset/saved_page.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace mazurka {
namespace {

struct alignas(kPage) Page {
  char bytes[kPage] = {};
};

// About half of the parts stay zeroes; of the others only one byte may differ.
void scribble(Page& page, std::mt19937& random) {
  for (size_t part = 0; part < kPage / kPart; ++part) {
    if (random() % 2 == 0) continue;
    page.bytes[part * kPart + random() % kPart] = static_cast<char>(random());
    if (random() % 2 == 0) memset(page.bytes + part * kPart, static_cast<char>(random()), kPart);
  }
}

__attribute__((target("avx2"))) void restore_by_wide_vectors(Page& page, const Page& saved) {
  restore_page(page.bytes, saved.bytes, parts_in_use(saved.bytes));
}

void restores_whatever_was_written(void (*restore)(Page&, const Page&)) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    Page saved;
    scribble(saved, random);
    Page page = saved;
    scribble(page, random);
    restore(page, saved);
    ASSERT_EQ(memcmp(page.bytes, saved.bytes, kPage), 0);
  }
}

TEST(SavedPage, RestoresWhateverWasWritten) {
  restores_whatever_was_written([](Page& page, const Page& saved) {
    restore_page(page.bytes, saved.bytes, parts_in_use(saved.bytes));
  });
}

TEST(SavedPage, WideVectorsDoTheSame) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has none";
  restores_whatever_was_written(restore_by_wide_vectors);
}

TEST(SavedPage, WithoutPartsInUseItIsClearedAndNothingIsRead) {
  Page page;
  memset(page.bytes, 1, kPage);
  restore_page(page.bytes, nullptr, 0);
  EXPECT_EQ(parts_in_use(page.bytes), 0u);
}

TEST(SavedPage, EachByteMakesItsPartOneInUse) {
  for (size_t i = 0; i < kPage; ++i) {
    Page page;
    page.bytes[i] = 1;
    ASSERT_EQ(parts_in_use(page.bytes), 1u << i / kPart);
  }
}

}  // namespace
}  // namespace mazurka
