// Optimised, and nobody but the object itself knows where it is: its class says what it is.
// flags: -O2
// kind: deadlock
// name: Cache::index_
// name: Cache::pages_
// why: holds Cache::
#include <mutex>
#include <thread>

class Cache {
 public:
  void run() {
    std::thread user([this] { lookup(1); });
    evict(1);
    user.join();
  }

 private:
  __attribute__((noinline)) int lookup(int key) {
    std::lock_guard<std::mutex> index(index_);
    std::lock_guard<std::mutex> pages(pages_);  // mazurka: deadlock
    return hits_ += key;
  }
  __attribute__((noinline)) int evict(int key) {
    std::lock_guard<std::mutex> pages(pages_);
    std::lock_guard<std::mutex> index(index_);
    return hits_ -= key;
  }

  std::mutex index_;
  std::mutex pages_;
  int hits_ = 0;
};

int main() {
  (new Cache)->run();
  return 0;
}
