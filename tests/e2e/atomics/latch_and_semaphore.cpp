// check: verdict=ok locked=yes
// check BROKEN: verdict=error findings=assertion
// What C++20 has, by a compiler that knows nothing of us.
#include <cassert>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>

static std::latch begun{1};
static std::counting_semaphore<4> items{0};
static std::mutex mutex;
static int made;

int main() {
  std::thread maker([] {
    begun.wait();
#ifdef BROKEN
    items.release();
    { std::lock_guard<std::mutex> guard(mutex); }
    made = 1;
#else
    made = 1;
    items.release();
#endif
  });
  begun.count_down();
  items.acquire();
  const int seen = made;
  maker.join();
  assert(seen == 1);
}
