// expect: verdict=ok
// The twin of memory_write_after_free: main waits for the worker before it deletes.
#include <mutex>
#include <thread>

struct Statistics {
  long padding[4];
  long count = 0;
};

static std::mutex mutex;
static Statistics* statistics;

int main() {
  statistics = new Statistics;
  std::thread worker([] {
    std::lock_guard lock(mutex);
    ++statistics->count;
  });
  { std::lock_guard lock(mutex); }
  worker.join();
  delete statistics;
}
