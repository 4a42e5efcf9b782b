#include <gtest/gtest.h>
#include <mazurka/check.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex lock;
  int money = 0;
  int read() {
    std::lock_guard<std::mutex> hold(lock);
    return money;
  }
  void write(int value) {
    std::lock_guard<std::mutex> hold(lock);
    money = value;
  }
  void add(int value) {
    std::lock_guard<std::mutex> hold(lock);
    money += value;
  }
};

Account account;  // made before main

TEST(Check, WhatIsRightIsRight) {
  EXPECT_TRUE(mazurka::check([] {
    std::thread other([] { account.add(1); });
    account.add(1);
    other.join();
    mz_assert(account.read() == 2);
  }));
  EXPECT_EQ(account.read(), 0) << "it ran in another process";
}

TEST(Check, ALostUpdateIsFound) {
  const auto verdict = mazurka::check([] {
    std::thread other([] { account.write(account.read() + 1); });
    account.write(account.read() + 1);
    other.join();
    mz_assert(account.read() == 2);
  });
  EXPECT_TRUE(verdict.found_something());
  EXPECT_FALSE(verdict);
  EXPECT_NE(verdict.report().find("assertion failed"), std::string::npos) << verdict;
  EXPECT_NE(verdict.report().find("google_tests.cc:"), std::string::npos) << verdict;
  const ::testing::AssertionResult result = verdict;
  EXPECT_NE(std::string(result.message()).find("mazurka replay"), std::string::npos);
}

TEST(Check, ADeadlockIsFound) {
  const auto verdict = mazurka::check([] {
    std::mutex mutex;
    std::condition_variable ready;
    std::thread other([&] { ready.notify_one(); });
    std::unique_lock<std::mutex> hold(mutex);
    ready.wait(hold);
    other.join();
  });
  EXPECT_TRUE(verdict.found_something());
  EXPECT_NE(verdict.report().find("deadlock: no thread can go on"), std::string::npos) << verdict;
}

TEST(Check, ExpectationsCount) {
  const auto verdict = mazurka::check([] {
    std::thread other([] { account.write(account.read() + 1); });
    account.write(account.read() + 1);
    other.join();
    EXPECT_EQ(account.read(), 2);
  });
  EXPECT_EQ(verdict.exit_code(), 1);
  EXPECT_NE(verdict.report().find("ended with status 1"), std::string::npos) << verdict;
}

TEST(Check, FlagsAreThoseOfTheCommand) {
  const auto verdict = mazurka::check([] { account.add(1); }, {{"--max-executions=0"}, ""});
  EXPECT_EQ(verdict.exit_code(), 2);
  EXPECT_NE(verdict.report().find("--max-executions"), std::string::npos) << verdict;
}

TEST(Check, ACommandThatIsNotThereIsSaid) {
  const auto verdict = mazurka::check([] { account.add(1); }, {{}, "/no/such/mazurka"});
  EXPECT_EQ(verdict.exit_code(), 4);
  EXPECT_NE(verdict.report().find("/no/such/mazurka"), std::string::npos);
}

}  // namespace
