// Unit tests in a program that mazurka-c++ has built: they explore as others do, and see its
// atomics.
#include <gtest/gtest.h>
#include <mazurka/check.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

TEST(Check, ALostUpdateOfAnAtomicIsFound) {
  const auto verdict = mazurka::check([] {
    std::atomic<int> money{0};
    std::thread other([&] { money.store(money.load() + 1); });
    money.store(money.load() + 1);
    other.join();
    mz_assert(money == 2);
  });
  EXPECT_TRUE(verdict.found_something()) << verdict;
  EXPECT_NE(verdict.report().find("assertion failed"), std::string::npos) << verdict;
}

TEST(Check, ARaceIsFound) {
  const auto verdict = mazurka::check([] {
    int money = 0;
    std::thread other([&] { ++money; });
    ++money;
    other.join();
  });
  EXPECT_TRUE(verdict.found_something()) << verdict;
}

TEST(Check, WhatIsRightIsExplored) {
  const auto verdict = mazurka::check([] {
    std::mutex lock;
    int money = 0;
    const auto add = [&] {
      const std::lock_guard<std::mutex> hold(lock);
      ++money;
    };
    std::thread other(add);
    add();
    other.join();
    mz_assert(money == 2);
  });
  EXPECT_TRUE(verdict) << verdict;
  EXPECT_NE(verdict.report().find("2 executions"), std::string::npos) << verdict;
}

}  // namespace
