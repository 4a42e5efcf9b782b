// Statistics on the heap that nobody protects.
// compiler: mazurka-c++
// kind: race
// name: stats->hits[1]
// why: neither thread holds a lock there
#include <memory>
#include <thread>

struct Statistics {
  int requests = 0;
  long hits[4] = {};
};

static void serve(Statistics& stats) {
  stats.hits[1] = 1;  // mazurka: race
}

int main() {
  auto stats = std::make_unique<Statistics>();
  std::thread one([&] { serve(*stats); });
  std::thread two([&] { serve(*stats); });
  one.join();
  two.join();
}
