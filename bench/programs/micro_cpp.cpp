// micro_cpp TIMES: as micro_c, with std::thread and std::mutex.
#include <mutex>
#include <thread>

#include "micro.h"

static std::mutex mutex;
static int x;

static void add() {
  std::lock_guard lock(mutex);
  x++;
}

int main(int argc, char** argv) {
  repeat(argc > 1 ? argv[1] : "1");
  std::thread threads[2] = {std::thread(add), std::thread(add)};
  for (std::thread& thread : threads) thread.join();
}
