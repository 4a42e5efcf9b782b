// A work-stealing queue (Frigo, Leiserson, Randall, PLDI'98: Cilk's THE protocol) with the mistake
// that CHESS's benchmark has: the owner looks at the thieves' end only before it takes the last
// item, and does not look again under the lock. A thief may get the same one.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kItems = 4;

struct Queue {
  std::atomic<int> head{0};  // thieves take here, under the lock
  std::atomic<int> tail{0};  // the owner puts and takes here
  std::mutex thieves;
  std::atomic<int> items[kItems];

  void put(int item) {
    const int end = tail;
    items[end % kItems] = item;
    tail = end + 1;
  }

  int take() {
    const int end = tail - 1;
    if (head > end) return -1;  // mistake: thieves may pass here
    tail = end;
    return items[end % kItems];
  }

  int steal() {
    const std::lock_guard<std::mutex> held(thieves);
    const int begin = head;
    head = begin + 1;
    if (begin + 1 <= tail) return items[begin % kItems];
    head = begin;
    return -1;
  }
};

Queue queue;
std::atomic<int> taken[kItems];

void use(int item) {
  if (item >= 0) assert(taken[item].fetch_add(1) == 0);
}

}  // namespace

int main() {
  std::thread thief([] {
    for (int i = 0; i < 2; ++i) use(queue.steal());
  });
  for (int i = 0; i < kItems; ++i) queue.put(i);
  for (int i = 0; i < kItems; ++i) use(queue.take());
  thief.join();
}
