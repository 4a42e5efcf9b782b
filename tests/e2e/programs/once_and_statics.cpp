// expect: executions=139 transitions=755 verdict=ok
// Each initialisation happens once, whoever comes first; one that throws happens again.
#include <pthread.h>

#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static int made, attempts, once_runs;
static std::once_flag flag;
static pthread_once_t control = PTHREAD_ONCE_INIT;

struct Made {
  Made() { ++made; }
  int value = 7;
};

static int use_static() {
  static Made object;
  return object.value;
}

static void fails_first() {
  if (++attempts == 1) throw std::runtime_error("not yet");
}

static void use_once() {
  pthread_once(&control, [] { ++once_runs; });
  assert(once_runs == 1);
  assert(use_static() == 7 && use_static() == 7);  // the second time is no operation
}

int main() {
  std::thread other([] { use_once(); });
  int caught = 0;
  try {
    std::call_once(flag, fails_first);
  } catch (const std::runtime_error&) {
    ++caught;
  }
  std::call_once(flag, fails_first);
  use_once();
  other.join();
  assert(made == 1 && attempts == 2 && once_runs == 1 && caught == 1);
}
