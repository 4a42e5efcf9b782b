// twostage N: after the benchmark of the same name in SCTBench. Two words that belong together are
// written under a lock each: between the two stages a reader sees the first without the second.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex first_lock;
static std::mutex second_lock;
static int first = 0;
static int second = 0;

static void write_in_two_stages() {
  {
    const std::lock_guard<std::mutex> held(first_lock);
    first = 1;
  }
  const std::lock_guard<std::mutex> held(second_lock);
  second = 2;
}

static void read_in_two_stages() {
  int seen = 0;
  {
    const std::lock_guard<std::mutex> held(first_lock);
    if (first == 0) return;
    seen = first;
  }
  const std::lock_guard<std::mutex> held(second_lock);
  assert(second == seen + 1);
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  std::vector<std::thread> all;
  for (int i = 1; i < threads; ++i) all.emplace_back(write_in_two_stages);
  all.emplace_back(read_in_two_stages);
  for (std::thread& thread : all) thread.join();
}
