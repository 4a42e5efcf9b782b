// expect: executions=14 transitions=67 verdict=ok
// condition_variable::wait_for with a predicate: false only if the time is up and the predicate
// does not hold.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool ready;

int main() {
  std::thread waiter([] {
    std::unique_lock<std::mutex> lock(mutex);
    const auto begin = std::chrono::steady_clock::now();
    const bool result = condition.wait_for(lock, std::chrono::seconds(2), [] { return ready; });
    assert(result == ready);
    assert(result || std::chrono::steady_clock::now() - begin >= std::chrono::seconds(2));
  });
  {
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
  }
  condition.notify_all();
  waiter.join();
}
