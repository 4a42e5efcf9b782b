// Philosophers with their forks in a std::vector.
// kind: deadlock
// name: forks[0]
// name: forks[1]
// why: holds forks[1]
#include <mutex>
#include <thread>
#include <vector>

static void dine(std::vector<std::mutex>& forks, size_t seat) {
  std::mutex& left = forks[seat];
  std::mutex& right = forks[(seat + 1) % forks.size()];
  left.lock();
  right.lock();  // mazurka: deadlock
  right.unlock();
  left.unlock();
}

int main() {
  std::vector<std::mutex> forks(2);
  std::thread one(dine, std::ref(forks), 0);
  std::thread two(dine, std::ref(forks), 1);
  one.join();
  two.join();
}
