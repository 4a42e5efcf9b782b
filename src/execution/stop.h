// When a search must stop: its time is over, or somebody asked for it. Who works for long asks
// here: whoever begins something new whether the stop is due, whoever is in the middle of something
// (an execution that spins, an analysis, a replay) whether it is overdue.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>

#include "base/clock.h"

namespace mazurka {

class Stop {
 public:
  // What is under way when the stop is due may take so long to end by itself.
  static constexpr std::chrono::milliseconds kGrace{1000};

  // `interrupted`: set by a signal handler; may be null. `timeout_s`: 0 for none.
  Stop(const volatile std::sig_atomic_t* interrupted, double timeout_s)
      : interrupted_(interrupted) {
    if (timeout_s > 0 && timeout_s < kForever_s) end_after(Clock::now(), timeout_s);
  }

  bool is_due() const { return was_interrupted() || Clock::now() >= end(); }

  // From the first look that found it due, where it was interrupted: a flag does not know its time.
  bool is_overdue() const {
    const Clock::time_point now = Clock::now();
    if (was_interrupted()) {
      int64_t none = 0;
      first_seen_.compare_exchange_strong(none, now.time_since_epoch().count());
      const Clock::time_point seen{Clock::duration(first_seen_.load())};
      if (now >= seen + kGrace) return true;
    }
    return end() != Clock::time_point::max() && now >= end() + kGrace;
  }

  bool was_interrupted() const { return interrupted_ != nullptr && *interrupted_ != 0; }

  // Another end: that of a search which goes on with what it had used of its time.
  void end_after(Clock::time_point start, double timeout_s) {
    end_ = (start + as_duration(timeout_s)).time_since_epoch().count();
  }

 private:
  static constexpr double kForever_s = 1e9;

  Clock::time_point end() const { return Clock::time_point{Clock::duration(end_.load())}; }

  const volatile std::sig_atomic_t* interrupted_;
  std::atomic<int64_t> end_{Clock::time_point::max().time_since_epoch().count()};
  mutable std::atomic<int64_t> first_seen_ = 0;
};

// Asks now and then only: for loops whose rounds are short.
class StopWatch {
 public:
  explicit StopWatch(const Stop* stop = nullptr) : stop_(stop) {}

  // Once it has said so, it says so always.
  bool is_overdue() {
    if (stop_ == nullptr || is_overdue_) return is_overdue_;
    if (++asked_ % kOneOf == 0) is_overdue_ = stop_->is_overdue();
    return is_overdue_;
  }

 private:
  static constexpr uint32_t kOneOf = 16;

  const Stop* stop_;
  uint32_t asked_ = 0;
  bool is_overdue_ = false;
};

}  // namespace mazurka
