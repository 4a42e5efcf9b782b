#include "base/check.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

TEST(Check, SaysNothingWhenTheConditionHolds) { MAZURKA_CHECK(1 + 1 == 2); }

TEST(Check, EvaluatesTheConditionOnce) {
  int evaluations = 0;
  MAZURKA_CHECK(++evaluations > 0);
  EXPECT_EQ(evaluations, 1);
}

#ifdef NDEBUG
TEST(DebugCheck, IsNotEvaluatedWithoutDebugging) {
  int evaluations = 0;
  MAZURKA_DEBUG_CHECK(++evaluations > 1);
  EXPECT_EQ(evaluations, 0);
}
#else
TEST(DebugCheckDeathTest, IsACheckWithDebugging) {
  EXPECT_DEATH(MAZURKA_DEBUG_CHECK(2 + 2 == 5), "check failed: 2 \\+ 2 == 5");
}
#endif

TEST(CheckDeathTest, NamesFileLineAndCondition) {
  EXPECT_DEATH(MAZURKA_CHECK(2 + 2 == 5),
               "check_test\\.cc:[1-9][0-9]*: check failed: 2 \\+ 2 == 5");
}

TEST(CheckDeathTest, TakesAConditionWithCommas) {
  EXPECT_DEATH(MAZURKA_CHECK(std::is_same_v<int, long>), "is_same_v<int, long>");
}

TEST(CheckDeathTest, WritesTheLineNumberInFull) {
  EXPECT_DEATH(check_failed("mutex.cc", 1203, "owned"), "mutex\\.cc:1203: check failed: owned");
}

TEST(CheckDeathTest, EndsTheProcessByAbort) {
  EXPECT_EXIT(check_failed("mutex.cc", 0, "owned"), testing::KilledBySignal(SIGABRT),
              "mutex\\.cc:0:");
}

}  // namespace
}  // namespace mazurka
