// Two threads count visitors, each with one atomic operation.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> visitors{0};

void visit() { ++visitors; }

int main() {
  std::thread one(visit);
  std::thread two(visit);
  one.join();
  two.join();
  assert(visitors == 2);
}
