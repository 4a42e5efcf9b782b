// reorder N: after the benchmark of the same name in SCTBench (Thomson, Donaldson, Betts, TOPC'16).
// N - 1 threads write two words one after the other, and one thread reads both: once it may see the
// first write without the second. Most schedules let some writer finish both first.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

static std::atomic<int> first{0};
static std::atomic<int> second{0};

static void write_both() {
  first = 1;
  second = -1;
}

static void read_both() {
  const int a = first;
  const int b = second;
  assert((a == 0 && b == 0) || (a == 1 && b == -1));
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  std::vector<std::thread> all;
  for (int i = 1; i < threads; ++i) all.emplace_back(write_both);
  all.emplace_back(read_both);
  for (std::thread& thread : all) thread.join();
}
