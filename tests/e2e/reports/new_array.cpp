// An array of structures from new[], with the lock behind the data.
// kind: deadlock
// name: slots[1].lock
// name: slots[2].lock
// why: waits for slots[1].lock
#include <mutex>
#include <thread>

struct Slot {
  int value = 0;
  std::mutex lock;
};

static void swap(Slot* slots, int a, int b) {
  slots[a].lock.lock();
  slots[b].lock.lock();  // mazurka: deadlock
  std::swap(slots[a].value, slots[b].value);
  slots[b].lock.unlock();
  slots[a].lock.unlock();
}

int main() {
  Slot* slots = new Slot[3];
  std::thread one(swap, slots, 1, 2);
  std::thread two(swap, slots, 2, 1);
  one.join();
  two.join();
  delete[] slots;
}
