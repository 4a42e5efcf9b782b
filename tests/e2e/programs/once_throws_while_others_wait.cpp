// expect: executions=14 transitions=86 verdict=ok
// A call_once that throws lets the next one in; a static local whose initialiser throws likewise.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int attempts, passed, thrown;

static void attempt() {
  try {
    std::call_once(flag, [] {
      if (++attempts == 1) throw 1;
    });
    ++passed;
  } catch (int) {
    ++thrown;
  }
}

static int initial_attempts;
static int initial() {
  if (++initial_attempts == 1) throw 2;
  return 5;
}

static void use_static() {
  try {
    static int value = initial();
    assert(value == 5);
    ++passed;
  } catch (int) {
    ++thrown;
  }
}

int main() {
  std::thread other([] {
    attempt();
    use_static();
  });
  attempt();
  use_static();
  other.join();
  assert(passed == 2 && thrown == 2 && attempts == 2 && initial_attempts == 2);
}
