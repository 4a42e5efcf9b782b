// expect: verdict=ok atomics=off
// jthread joins by itself, and its stop token ends a wait.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any condition;
static int stopped;

int main() {
  {
    std::jthread worker([](std::stop_token stop) {
      std::unique_lock<std::mutex> lock(mutex);
      assert(!condition.wait(lock, stop, [] { return false; }));
      ++stopped;
    });
  }
  assert(stopped == 1);
}
