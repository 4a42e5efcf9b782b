// Optimised: what locks is inlined into what calls it, up to the thread's function.
// flags: -O2
// kind: deadlock
// name: north.lock_
// name: south.lock_
// why: north.lock_
#include <mutex>
#include <thread>

class Counter {
 public:
  void lock() { lock_.lock(); }  // mazurka: deadlock
  void unlock() { lock_.unlock(); }
  void add(int n) { value_ += n; }

 private:
  std::mutex lock_;
  int value_ = 0;
};

static inline void add_to_both(Counter& a, Counter& b) {
  a.lock();
  b.lock();
  a.add(1);
  b.add(1);
  b.unlock();
  a.unlock();
}

int main() {
  Counter north;
  Counter south;
  std::thread one([&] { add_to_both(north, south); });
  std::thread two([&] { add_to_both(south, north); });
  one.join();
  two.join();
}
