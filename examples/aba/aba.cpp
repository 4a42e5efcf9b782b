// A lock-free stack (Treiber's) of free slots. A slot that was taken is put back.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kNone = -1;

std::atomic<int> top{0};  // slots 0 and 1 are free: 0 is on top of 1
std::atomic<int> below[2] = {1, kNone};
std::atomic<bool> in_use[2];

int take() {
  int slot = top;
  while (slot != kNone && !top.compare_exchange_strong(slot, below[slot])) {
  }
  if (slot != kNone) assert(!in_use[slot].exchange(true));  // mazurka: assertion
  return slot;
}

void put_back(int slot) {
  in_use[slot] = false;
  int old = top;
  do {
    below[slot] = old;
  } while (!top.compare_exchange_strong(old, slot));
}

int main() {
  std::thread other([] {
    const int first = take();
    const int second = take();
    if (first != kNone) put_back(first);
    (void)second;  // stays in use
  });
  take();
  other.join();
  take();
}
