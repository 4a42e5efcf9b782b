// Dining philosophers with the C++ standard library: philosophers_std [NUMBER]
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  const int number = argc > 1 ? std::atoi(argv[1]) : 3;
  if (number < 1 || number > 100) {
    std::fprintf(stderr, "usage: philosophers_std [1..100]\n");
    return 2;
  }
  std::vector<std::mutex> forks(static_cast<std::size_t>(number));
  std::vector<std::thread> philosophers;
  for (std::size_t i = 0; i < forks.size(); ++i) {
    philosophers.emplace_back([&left = forks[i], &right = forks[(i + 1) % forks.size()]] {
      left.lock();
      right.lock();  // mazurka: deadlock
      left.unlock();
      right.unlock();
    });
  }
  for (std::thread& philosopher : philosophers) philosopher.join();
}
