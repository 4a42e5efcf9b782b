#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace mazurka {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Error{"odd"};
  return number / 2;
}

Result<void> must_be_even(int number) {
  if (number % 2 != 0) return Error{"odd"};
  return {};
}

TEST(Result, HoldsTheValueOfASuccess) {
  const Result<int> result = half(6);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(*result, 3);
}

TEST(Result, HoldsTheReasonOfAFailure) {
  const Result<int> result = half(7);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "odd");
}

TEST(Result, GivesAwayAValueThatOnlyMoves) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> value = std::move(result).value();
  EXPECT_EQ(*value, 3);
}

TEST(Result, OfStringTellsAValueFromAnError) {
  const Result<std::string> value = std::string("text");
  const Result<std::string> error = Error{"text"};
  EXPECT_TRUE(value.ok());
  EXPECT_FALSE(error.ok());
  EXPECT_EQ(value->size(), 4u);
}

TEST(Result, OfVoidIsSuccessOrAReason) {
  EXPECT_TRUE(must_be_even(2).ok());
  EXPECT_EQ(must_be_even(3).error().message, "odd");
}

TEST(ResultDeathTest, StopsWhenAFailureIsAskedForItsValue) {
  EXPECT_DEATH(half(7).value(), "check failed: ok\\(\\)");
}

TEST(ResultDeathTest, StopsWhenASuccessIsAskedForItsError) {
  EXPECT_DEATH((void)half(6).error(), "check failed: !ok\\(\\)");
  EXPECT_DEATH((void)must_be_even(6).error(), "check failed: !ok\\(\\)");
}

}  // namespace
}  // namespace mazurka
