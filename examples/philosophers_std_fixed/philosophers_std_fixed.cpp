// Dining philosophers with the C++ standard library: philosophers_std_fixed [NUMBER]
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

int main(int argc, char** argv) {
  const int number = argc > 1 ? std::atoi(argv[1]) : 3;
  if (number < 1 || number > 100) {
    std::fprintf(stderr, "usage: philosophers_std_fixed [1..100]\n");
    return 2;
  }
  std::vector<std::mutex> forks(static_cast<std::size_t>(number));
  std::vector<std::thread> philosophers;
  for (std::size_t i = 0; i < forks.size(); ++i) {
    std::mutex* first = &forks[i];
    std::mutex* second = &forks[(i + 1) % forks.size()];
    if (second < first)
      std::swap(first, second);  // the last one takes the forks the other way round
    philosophers.emplace_back([first, second] {
      std::lock_guard<std::mutex> one(*first);
      std::lock_guard<std::mutex> other(*second);
    });
  }
  for (std::thread& philosopher : philosophers) philosopher.join();
}
