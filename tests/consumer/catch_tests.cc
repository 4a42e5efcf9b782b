#define CATCH_CONFIG_MAIN
#include <mazurka/check.h>

#include <catch2/catch.hpp>
#include <mutex>
#include <thread>

static std::mutex first, second;

static void take(std::mutex& a, std::mutex& b) {
  std::lock_guard<std::mutex> hold_a(a);
  std::lock_guard<std::mutex> hold_b(b);
}

TEST_CASE("locks in one order") {
  REQUIRE(mazurka::check([] {
    std::thread other([] { take(first, second); });
    take(first, second);
    other.join();
  }));
}

TEST_CASE("locks in two orders") {
  const auto verdict = mazurka::check([] {
    std::thread other([] { take(second, first); });
    take(first, second);
    other.join();
  });
  CHECK_FALSE(verdict);
  CHECK(verdict.report().find("deadlock") != std::string::npos);
  CHECK(Catch::Detail::stringify(verdict) == verdict.report());
}
