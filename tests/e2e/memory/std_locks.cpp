// The locks of the C++ library order what they protect.
// check MUTEX: verdict=ok builds=one
// check SHARED: verdict=ok builds=clang
// check CONDITION: verdict=ok builds=one
// check ONCE: verdict=ok orders=weak builds=clang
// check SEMAPHORE: verdict=ok orders=weak compare=no builds=one
// check LATCH: verdict=ok orders=weak compare=no builds=clang
// check BARRIER: verdict=ok orders=weak compare=no builds=one
// check SHARED_LOCK_WRITES: verdict=error findings=race builds=clang
// check NOT_YET_ONCE: verdict=error findings=race orders=weak builds=one
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

int data;

#if defined MUTEX
std::timed_mutex timed;
std::recursive_mutex recursive;
int other;
void work() {
  {
    std::lock_guard lock(timed);
    std::lock_guard inner(recursive);
    std::lock_guard again(recursive);
    ++data;
  }
  if (std::unique_lock lock(timed, std::try_to_lock); lock) ++other;
}
void first() { work(); }
void second() { work(); }
#elif defined SHARED
std::shared_mutex mutex;
void first() {
  std::unique_lock lock(mutex);
  data = 1;
}
void second() {
  {
    std::shared_lock lock(mutex);
    assert(data == 0 || data == 1);
  }
  std::unique_lock lock(mutex);
  ++data;
}
#elif defined SHARED_LOCK_WRITES
std::shared_mutex mutex;
void first() {
  std::shared_lock lock(mutex);
  data = 1;  // mazurka: race
}
void second() {
  std::shared_lock lock(mutex);
  data = 2;  // mazurka: race
}
#elif defined CONDITION
std::mutex mutex;
std::condition_variable changed;
bool is_ready;
void first() {
  data = 1;
  std::lock_guard lock(mutex);
  is_ready = true;
  changed.notify_one();
}
void second() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return is_ready; });
  lock.unlock();
  assert(data == 1);
}
#elif defined ONCE || defined NOT_YET_ONCE
std::once_flag flag;
int& instance() {
  static int made = data + 1;
  return made;
}
void first() {
  std::call_once(flag, [] { data = 1; });  // mazurka: race
  assert(instance() == 2);
}
void second() {
#ifdef NOT_YET_ONCE
  if (data != 0) return;  // mazurka: race
#endif
  first();
}
#elif defined SEMAPHORE
std::counting_semaphore<4> items(0);
void first() {
  data = 1;
  items.release();
}
void second() {
  items.acquire();
  assert(data == 1);
}
#elif defined LATCH
std::latch arrived(2);
int mine, yours;
void first() {
  mine = 1;
  arrived.arrive_and_wait();
  assert(yours == 1);
}
void second() {
  yours = 1;
  arrived.arrive_and_wait();
  assert(mine == 1);
}
#elif defined BARRIER
std::barrier turn(2, []() noexcept { ++data; });
int mine, yours;
void first() {
  mine = 1;
  turn.arrive_and_wait();
  assert(yours == 1 && data == 1);
}
void second() {
  yours = 1;
  turn.arrive_and_wait();
  assert(mine == 1 && data == 1);
}
#endif

int main() {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
}
