// expect: verdict=ok atomics=off
// A barrier with two phases; its completion function runs once in each, before anybody leaves.
#include <barrier>
#include <cassert>
#include <thread>

static int completed, arrived;

struct Complete {
  void operator()() noexcept { ++completed; }
};

static std::barrier<Complete> barrier(2);

static void walk() {
  for (int phase = 1; phase <= 2; ++phase) {
    ++arrived;
    barrier.arrive_and_wait();
    assert(completed >= phase && arrived >= 2 * phase);
  }
}

int main() {
  std::thread other(walk);
  walk();
  other.join();
  assert(completed == 2 && arrived == 4);
}
