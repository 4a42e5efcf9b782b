// expect: executions=4 transitions=19 verdict=ok atomics=off
// A latch opens for all when the last has counted down.
#include <cassert>
#include <latch>
#include <mutex>
#include <thread>

static std::latch latch{2};
static std::mutex mutex;
static int counted;

int main() {
  std::thread other([] {
    { std::lock_guard<std::mutex> guard(mutex); }
    ++counted;
    latch.count_down();
  });
  ++counted;
  latch.arrive_and_wait();
  assert(counted == 2 && latch.try_wait());
  other.join();
}
