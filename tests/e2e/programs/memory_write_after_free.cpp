// expect: verdict=error findings=memory
// A worker counts in an object that main deletes; if it is late, it counts in memory that was
// freed. Nothing reuses that memory, so it shows at the end.
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
    Statistics* mine = statistics;
    std::lock_guard lock(mutex);
    ++mine->count;
  });
  {
    std::lock_guard lock(mutex);
    delete statistics;  // mazurka: memory
  }
  worker.join();
}
