// Constructors before main and destructors after it, a thread that is created before main,
// thread_local objects.
// check: verdict=ok
// check BROKEN: verdict=error findings=race
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<int> numbers;

void add(int number) {
#ifndef BROKEN
  std::lock_guard<std::mutex> lock(mutex);
#endif
  numbers.push_back(number);  // mazurka: race
}

struct Early {
  Early() : thread([] { add(1); }) { add(0); }
  ~Early() {
    thread.join();
    assert(numbers.size() == 4);
  }
  std::thread thread;
};

struct Local {
  ~Local() { ++destroyed; }
  int uses = 0;
  static inline std::atomic<int> destroyed{0};
};
thread_local Local local;

Early early;

int main() {
  ++local.uses;
  std::thread other([] { add(++local.uses); });
  add(3);
  other.join();
  assert(Local::destroyed == 1);
}
