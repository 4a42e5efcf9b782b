#include "base/inline_vector.h"

#include <gtest/gtest.h>

#include <vector>

namespace mazurka {
namespace {

using Numbers = InlineVector<int, 4>;

Numbers numbers(int count) {
  Numbers made;
  for (int i = 0; i < count; ++i) made.push_back(i);
  return made;
}

void expect_numbers(const Numbers& given, int count) {
  ASSERT_EQ(given.size(), static_cast<size_t>(count));
  EXPECT_EQ(given.empty(), count == 0);
  for (int i = 0; i < count; ++i) EXPECT_EQ(given.data()[i], i);
}

TEST(InlineVector, KeepsWhatWasPushed) {
  for (int count = 0; count < 20; ++count) expect_numbers(numbers(count), count);
}

TEST(InlineVector, TheFewLieInItself) {
  Numbers few = numbers(4);
  const void* end = &few + 1;
  EXPECT_TRUE(few.data() >= static_cast<const void*>(&few) && few.data() < end);
  few.push_back(4);
  EXPECT_FALSE(few.data() >= static_cast<const void*>(&few) && few.data() < end);
}

// Whether few or many were there before.
TEST(InlineVector, CopiesAndMovesOverWhatIsThere) {
  for (int before = 0; before < 10; ++before) {
    for (int count = 0; count < 10; ++count) {
      const Numbers given = numbers(count);
      Numbers copy = numbers(before);
      copy = given;
      expect_numbers(copy, count);
      expect_numbers(Numbers(copy), count);
      Numbers moved = numbers(before);
      moved = std::move(copy);
      expect_numbers(moved, count);
      copy = numbers(before);  // what was moved from can be used again
      expect_numbers(copy, before);
      expect_numbers(Numbers(std::move(moved)), count);
      const std::vector<int> others(given.begin(), given.end());
      copy = others;
      expect_numbers(copy, count);
    }
  }
}

}  // namespace
}  // namespace mazurka
