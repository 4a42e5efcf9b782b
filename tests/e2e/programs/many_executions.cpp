// expect: verdict=ok reset=in-place
// Does in each execution what could leave something behind: memory on the heap and the stack,
// thread-local objects, exceptions, output, input. Arguments: threads, and how often each locks.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<std::string> lines;
static thread_local std::string last;

static void work(int number, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    std::lock_guard lock(mutex);
    last = "a line that is long enough for the heap: " + std::to_string(number);
    lines.push_back(last);
  }
  try {
    if (number == 0) throw std::runtime_error(last);
  } catch (const std::exception& error) {
    assert(last == error.what());
  }
}

int main(int argc, char** argv) {
  assert(lines.empty());
  int input = 0;
  if (std::scanf("%d", &input) == 1) assert(input == 42);  // the same in every execution
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(work, i, argc > 2 ? std::atoi(argv[2]) : 1);
  for (std::thread& thread : threads) thread.join();
  std::cout << lines.size() << " lines\n";
  std::printf("%s\n", lines[0].c_str());
  char* large = static_cast<char*>(std::malloc(300000));
  large[0] = large[299999] = 1;
  std::free(large);
}
