#include "base/clock.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace mazurka {

Clock::time_point Clock::now() noexcept {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace mazurka
