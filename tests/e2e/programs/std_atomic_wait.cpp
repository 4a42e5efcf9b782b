// expect: executions=8 transitions=57 verdict=ok atomics=off
// atomic::wait and notify_one. The waiter yields three times before it waits on the futex.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::atomic<int> word{0};
static std::mutex mutex;

int main() {
  std::thread waiter([] {
    word.wait(0);
    assert(word == 1);
  });
  for (int i = 0; i < 3; ++i)
    std::lock_guard<std::mutex> guard(mutex);  // time for the waiter to give up yielding
  word = 1;
  word.notify_one();
  waiter.join();
}
