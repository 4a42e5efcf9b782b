// check: verdict=ok locked=yes
// check BROKEN: verdict=error findings=deadlock locked=yes
// check RELAXED: verdict=error findings=assertion locked=yes gdb=flag_and_wait.cpp:25
// Plain loads of words that locked instructions change decide what threads do. BROKEN: a flag is
// exchanged without the lock, and looked at by a plain load before a wait. RELAXED: two loads of a
// counter that grows in between.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::atomic<bool> stop;
static std::atomic<int> count;
static std::mutex mutex;
static std::condition_variable changed;

static void waits() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stop.load()) changed.wait(lock);
}

static void looks() {
  const int first = count.load(std::memory_order_relaxed);
  assert(count.load(std::memory_order_relaxed) == first);
}

int main() {
#ifdef RELAXED
  std::thread other(looks);
  count.fetch_add(1);
#else
  std::thread other(waits);
#ifndef BROKEN
  mutex.lock();
#endif
  stop.store(true);
#ifndef BROKEN
  mutex.unlock();
#endif
  changed.notify_all();
#endif
  other.join();
}
