// Locals of main that two lambdas have captured by reference, one of them called by another.
// kind: deadlock
// name: front
// name: back
// why: holds front
#include <mutex>
#include <thread>

int main() {
  std::mutex front;
  std::mutex back;
  const auto both = [](std::mutex& first, std::mutex& second) {
    std::lock_guard<std::mutex> a(first);
    std::lock_guard<std::mutex> b(second);  // mazurka: deadlock
  };
  std::thread one([&] { both(front, back); });
  std::thread two([&] { both(back, front); });
  one.join();
  two.join();
}
