// What a release sequence goes on with depends on the standard: by C++17 also with later stores of
// its thread, by C++20 with read-modify-writes alone.
// check: verdict=error findings=race orders=weak
// check OLDER: verdict=ok orders=weak flags=-std=c++17
// check UPDATE: verdict=ok orders=weak
#include <atomic>
#include <thread>

std::atomic<int> turn{0};
int data = 0;

int main() {
  std::thread tells([] {
    data = 1;  // mazurka: race
    turn.store(1, std::memory_order_release);
#ifdef UPDATE
    turn.fetch_add(1, std::memory_order_relaxed);
#else
    turn.store(2, std::memory_order_relaxed);
#endif
  });
  while (turn.load(std::memory_order_acquire) != 2) {
  }
  const bool is_there = data == 1;  // mazurka: race
  tells.join();
  return is_there ? 0 : 1;
}
