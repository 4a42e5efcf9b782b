// expect: verdict=ok atomics=off
// counting_semaphore: at most one holds it, and its timed and try forms fail only where it is
// taken.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> semaphore{1};
static int inside;

int main() {
  std::thread other([] {
    semaphore.acquire();
    assert(++inside == 1);
    --inside;
    semaphore.release();
  });
  if (semaphore.try_acquire_for(std::chrono::milliseconds(5))) {
    assert(++inside == 1);
    --inside;
    semaphore.release();
  }
  other.join();
  assert(semaphore.try_acquire() && !semaphore.try_acquire());
}
