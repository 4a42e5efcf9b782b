// N philosophers that take their left fork first: a deadlock that needs all of them at once.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  const size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 5;
  std::vector<std::mutex> forks(count);
  std::vector<std::thread> all;
  for (size_t i = 0; i < count; ++i) {
    all.emplace_back([&forks, i, count] {
      const std::lock_guard<std::mutex> left(forks[i]);
      const std::lock_guard<std::mutex> right(forks[(i + 1) % count]);
    });
  }
  for (std::thread& thread : all) thread.join();
}
