// SafeStack: Dmitry Vyukov's stack of indices without locks, posted to the CHESS forum in 2010; a
// challenge for testing tools since: its mistake needs three threads and five preemptions. A pop
// marks the next index of the top as taken while it works, which an index that comes back meanwhile
// (ABA) undoes.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

constexpr int kItems = 3;
constexpr int kThreads = 3;

struct Item {
  std::atomic<int> user{-1};
  std::atomic<int> next{-1};
};

Item items[kItems];
std::atomic<int> head{0};
std::atomic<int> count{kItems};

int pop() {
  while (count > 1) {
    const int top = head;
    const int next = items[top].next.exchange(-1);
    if (next < 0) continue;
    int expected = top;
    if (head.compare_exchange_strong(expected, next)) {
      --count;
      return top;
    }
    items[top].next.exchange(next);
  }
  return -1;
}

void push(int item) {
  int top = head;
  do {
    items[item].next = top;
  } while (!head.compare_exchange_strong(top, item));
  ++count;
}

void use(int self) {
  for (int i = 0; i < 2; ++i) {
    int item = pop();
    while (item < 0) item = pop();
    items[item].user = self;
    assert(items[item].user == self);
    push(item);
  }
}

}  // namespace

int main() {
  for (int i = 0; i + 1 < kItems; ++i) items[i].next = i + 1;
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; ++i) threads[i] = std::thread(use, i);
  for (std::thread& thread : threads) thread.join();
}
