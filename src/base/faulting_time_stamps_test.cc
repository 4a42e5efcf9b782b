#include "base/faulting_time_stamps.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <x86intrin.h>

#include "base/clock.h"

namespace mazurka {
namespace {

int setting() {
  int now = 0;
  prctl(PR_GET_TSC, &now);
  return now;
}

TEST(FaultingTimeStamps, AreOnAsLongAsTheObjectLives) {
  {
    const FaultingTimeStamps faulting;
    EXPECT_EQ(setting(), PR_TSC_SIGSEGV);
  }
  EXPECT_EQ(setting(), PR_TSC_ENABLE);
}

TEST(FaultingTimeStamps, TheClockDoesNotReadTheCounter) {
  const FaultingTimeStamps faulting;
  const Clock::time_point start = Clock::now();
  EXPECT_GE(Clock::now(), start);
  EXPECT_EQ(setting(), PR_TSC_SIGSEGV);
}

TEST(FaultingTimeStamps, WhoReadsTheCounterAllTheSameTakesTheSettingBack) {
  const FaultingTimeStamps faulting;
  EXPECT_NE(__rdtsc(), 0u);
  EXPECT_EQ(setting(), PR_TSC_ENABLE);
}

TEST(FaultingTimeStampsDeathTest, OtherFaultsAreWhatTheyWere) {
  EXPECT_EXIT(
      {
        signal(SIGSEGV, SIG_DFL);  // the address sanitizer has a handler
        const FaultingTimeStamps faulting;
        *static_cast<volatile int*>(nullptr) = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
}  // namespace mazurka
