// large_heap MEGABYTES TIMES: micro_cpp with so much on the heap before main, of which each
// execution writes ten pages.
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "micro.h"

// Before main there are no arguments yet but the kernel's.
static size_t megabytes() {
  std::ifstream arguments("/proc/self/cmdline");
  std::string program, first;
  std::getline(arguments, program, '\0');
  std::getline(arguments, first, '\0');
  return static_cast<size_t>(std::atoi(first.c_str()));
}

static std::vector<char> heap(megabytes() << 20, 1);
static std::mutex mutex;

static void write_some(size_t from) {
  std::lock_guard lock(mutex);
  for (size_t i = 0; i < 5; ++i) heap[(from + i * 7919 * 4096) % heap.size()] = 2;
}

int main(int argc, char** argv) {
  if (heap.empty()) return 2;
  repeat(argc > 2 ? argv[2] : "1");
  std::thread threads[2] = {std::thread(write_some, 0), std::thread(write_some, heap.size() / 2)};
  for (std::thread& thread : threads) thread.join();
}
