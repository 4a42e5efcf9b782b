// expect: verdict=error findings=memory
// As memory_write_after_free, but the memory is asked for again: there it shows.
#include <mutex>
#include <thread>

static std::mutex mutex;
static long* shared;

int main() {
  shared = new long[6];
  std::thread worker([mine = shared] {
    std::lock_guard lock(mutex);
    mine[3] = 1;
  });
  {
    std::lock_guard lock(mutex);
    delete[] shared;
  }
  worker.join();
  shared = new long[6];  // mazurka: memory
  delete[] shared;
}
