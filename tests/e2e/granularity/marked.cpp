// Functions that say themselves that their calls are single operations. UNLOCKED: they are not.
#include <mazurka/mazurka.h>

#include <cassert>
#include <mutex>
#include <thread>

template <typename T>
class Range {
 public:
  void include(T value) {
    mz_atomic();
    if (value < low_) low_ = value;
    if (value > high_) high_ = value;
  }
  T width() const {
    mz_method();
    return high_ - low_;
  }

 private:
  T low_ = 0;
  T high_ = 0;
};

Range<int> range;
std::mutex mutex;

void work(int value) {
#ifndef UNLOCKED
  std::lock_guard<std::mutex> lock(mutex);
#endif
  range.include(value);
}

int main() {
  std::thread first(work, -1);
  std::thread second(work, 2);
  first.join();
  second.join();
  assert(range.width() == 3);
  return 0;
}
