// expect: executions=24 transitions=195 verdict=ok
// shared_mutex and shared_timed_mutex.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static std::shared_timed_mutex timed;
static int value;

int main() {
  std::thread writer([] {
    std::unique_lock<std::shared_mutex> lock(mutex);
    ++value;
  });
  std::thread reader([] {
    std::shared_lock<std::shared_mutex> lock(mutex);
    assert(value == 0 || value == 1);
  });
  {
    std::shared_lock<std::shared_mutex> lock(mutex, std::try_to_lock);
    if (lock) assert(value == 0 || value == 1);
  }
  writer.join();
  reader.join();
  assert(value == 1);
  std::shared_lock<std::shared_timed_mutex> shared(timed);
  assert(!timed.try_lock_for(std::chrono::milliseconds(1)));
}
