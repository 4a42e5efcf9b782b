// built with mazurka-c++
// check: verdict=incomplete
// check -DKEPT: verdict=ok
// Natively a block that another thread allocates may be the one that was freed: then the exchange
// takes it for what it saw. KEPT: none is freed.
#include <atomic>
#include <thread>

static std::atomic<int*> current{nullptr};

static void take_what_was_seen() {
  int* seen = current;
  current.compare_exchange_strong(seen, nullptr);
}

int main() {
  current = new int{1};
  std::thread thread(take_what_was_seen);
  int* const old = current.exchange(nullptr);
#ifndef KEPT
  delete old;
#endif
  (void)old;
  thread.join();
}
