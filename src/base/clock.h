// The machine's monotonic clock, by a system call. That of the C++ library reads the time stamp
// counter, which faults in a kernel thread that has `FaultingTimeStamps`. For whoever works while a
// program runs.
#pragma once

#include <chrono>

namespace mazurka {

struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept;
};

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

inline Clock::duration as_duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace mazurka
