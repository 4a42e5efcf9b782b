// Two threads count visitors. Each access to the counter is atomic, but a visitor takes two of
// them.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> visitors{0};

void visit() { visitors = visitors + 1; }

int main() {
  std::thread one(visit);
  std::thread two(visit);
  one.join();
  two.join();
  assert(visitors == 2);  // mazurka: assertion
}
