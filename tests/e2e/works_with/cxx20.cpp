// What C++20 has to synchronise threads, by a compiler that knows nothing of us.
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <stop_token>
#include <thread>

#if defined(LATCH) || defined(LATCH_BROKEN)
int main() {
#ifdef LATCH_BROKEN
  std::latch both{3};
#else
  std::latch both{2};
#endif
  std::thread other([&] { both.arrive_and_wait(); });
  both.arrive_and_wait();
  other.join();
}
#elif defined(BARRIER) || defined(BARRIER_BROKEN)
int main() {
#ifdef BARRIER_BROKEN
  std::barrier both{3};
#else
  std::barrier both{2};
#endif
  std::thread other([&] { both.arrive_and_wait(); });
  both.arrive_and_wait();
  other.join();
}
#elif defined(SEMAPHORE) || defined(SEMAPHORE_BROKEN)
int main() {
#ifdef SEMAPHORE_BROKEN
  std::counting_semaphore<2> room{2};
#else
  std::counting_semaphore<2> room{1};
#endif
  std::atomic<int> most{0};
  const auto visit = [&] {
    room.acquire();
    assert(most.fetch_add(1) == 0);
    most.fetch_sub(1);
    room.release();
  };
  std::thread other(visit);
  visit();
  other.join();
}
#elif defined(STOP_TOKEN) || defined(STOP_TOKEN_BROKEN)
int main() {
  std::stop_source source;
  std::atomic<int> calls{0};
  std::thread other([&] { source.request_stop(); });
  {
    std::stop_callback call(source.get_token(), [&] { calls.fetch_add(1); });
#ifdef STOP_TOKEN_BROKEN
    assert(calls.fetch_add(0) == 1);
#endif
  }
  other.join();
  assert(calls.fetch_add(0) <= 1);
}
#elif defined(WAIT) || defined(WAIT_BROKEN)
int main() {
  std::atomic<int> ready{0};
  std::thread other([&] {
    ready.fetch_add(1);
#ifndef WAIT_BROKEN
    ready.notify_one();
#endif
  });
  ready.wait(0);
  other.join();
}
#endif
