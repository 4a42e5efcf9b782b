// A bounded buffer with one condition for both sides, and a signal where it should be a broadcast:
// one producer may wake the other, and all of them wait for ever. N producers and N consumers.
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::condition_variable changed;
static int filled = 0;
static constexpr int kRoom = 1;

static void produce() {
  for (int i = 0; i < 2; ++i) {
    std::unique_lock<std::mutex> held(lock);
    while (filled == kRoom) changed.wait(held);
    ++filled;
    changed.notify_one();
  }
}

static void consume() {
  for (int i = 0; i < 2; ++i) {
    std::unique_lock<std::mutex> held(lock);
    while (filled == 0) changed.wait(held);
    --filled;
    changed.notify_one();
  }
}

int main(int argc, char** argv) {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<std::thread> all;
  for (int i = 0; i < pairs; ++i) {
    all.emplace_back(produce);
    all.emplace_back(consume);
  }
  for (std::thread& thread : all) thread.join();
}
