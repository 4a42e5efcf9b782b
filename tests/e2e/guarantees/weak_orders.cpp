// built with mazurka-c++
// check: verdict=ok
// Store buffering: both threads may read 0 on real processors.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x{0}, y{0};

int main() {
  int seen_y = 1, seen_x = 1;
  std::thread thread([&] {
    x.store(1, std::memory_order_relaxed);
    seen_y = y.load(std::memory_order_relaxed);
  });
  y.store(1, std::memory_order_relaxed);
  seen_x = x.load(std::memory_order_relaxed);
  thread.join();
  assert(seen_x == 1 || seen_y == 1);
}
