// expect: executions=4 transitions=19 verdict=ok
// thread_local objects: one for each thread, destroyed when it ends, before the join sees it; also
// by pthread_exit.
#include <pthread.h>

#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int made, destroyed;

struct Counted {
  Counted() { ++made; }
  ~Counted() {
    std::lock_guard<std::mutex> guard(mutex);
    ++destroyed;
  }
  int value = 0;
};

static thread_local Counted mine;

static void* leave_early(void*) {
  mine.value = 3;
  pthread_exit(nullptr);
}

int main() {
  pthread_t other;
  assert(pthread_create(&other, nullptr, leave_early, nullptr) == 0);
  std::thread third([] {
    assert(mine.value == 0);
    ++mine.value;
    assert(mine.value == 1);
  });
  third.join();
  assert(pthread_join(other, nullptr) == 0);
  assert(made == 2 && destroyed == 2);
}
