// expect: executions=12 transitions=76 verdict=ok
// timed_mutex: fails only where it is locked; recursive_timed_mutex counts.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex mutex;
static std::recursive_timed_mutex recursive;
static int held;

static void use(bool until) {
  using std::chrono::milliseconds;
  const bool locked = until
                          ? mutex.try_lock_until(std::chrono::system_clock::now() + milliseconds(3))
                          : mutex.try_lock_for(milliseconds(3));
  assert(locked == (held == 0));
  if (!locked) return;
  held = 1;
  assert(recursive.try_lock());
  assert(recursive.try_lock_for(milliseconds(1)));
  recursive.unlock();
  recursive.unlock();
  mutex.unlock();
  held = 0;  // what follows a call belongs to its transition
}

int main() {
  std::thread other([] { use(true); });
  use(false);
  other.join();
}
