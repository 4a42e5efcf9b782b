// expect: executions=13 transitions=80 verdict=ok atomics=off
// condition_variable and condition_variable_any, which has a mutex of its own inside.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::recursive_mutex mutex;
static std::condition_variable_any condition;
static bool ready;

int main() {
  std::thread waiter([] {
    std::unique_lock<std::recursive_mutex> lock(mutex);
    condition.wait(lock, [] { return ready; });
    assert(ready);
  });
  {
    std::lock_guard<std::recursive_mutex> lock(mutex);
    ready = true;
  }
  condition.notify_one();
  waiter.join();
}
