// A lock-free stack (Treiber's) of free slots. The top has a count beside it, so one that has gone
// and come back is another.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kNone = -1;

struct Top {
  int slot;
  int changes;
};

std::atomic<Top> top{{0, 0}};  // slots 0 and 1 are free: 0 is on top of 1
std::atomic<int> below[2] = {1, kNone};
std::atomic<bool> in_use[2];

int take() {
  Top old = top;
  while (old.slot != kNone &&
         !top.compare_exchange_strong(old, {below[old.slot], old.changes + 1})) {
  }
  if (old.slot != kNone) assert(!in_use[old.slot].exchange(true));
  return old.slot;
}

void put_back(int slot) {
  in_use[slot] = false;
  Top old = top;
  do {
    below[slot] = old.slot;
  } while (!top.compare_exchange_strong(old, {slot, old.changes + 1}));
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
