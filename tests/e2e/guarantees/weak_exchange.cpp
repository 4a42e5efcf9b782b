// built with mazurka-c++
// check: verdict=ok
// check --spurious: verdict=error findings=assertion
// A weak compare-exchange may fail though it finds what it expects.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> owner{0};

static void claim() {
  int nobody = 0;
  const bool claimed = owner.compare_exchange_weak(nobody, 1);
  assert(claimed);
}

int main() {
  std::thread thread(claim);
  thread.join();
}
