// A worker does the job that it is given until it is told to stop. The door is closed while it may
// still be at work.
#include <mazurka/mazurka.h>

#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool has_job = false;
bool must_stop = false;

void do_job() {
  mz_event("begin");
  mz_event("end");  // mazurka: tester
}

void work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [] { return has_job || must_stop; });
    if (!has_job) return;
    has_job = false;
    lock.unlock();
    do_job();
    lock.lock();
  }
}

void set(bool& flag) {
  std::lock_guard<std::mutex> lock(mutex);
  flag = true;
  changed.notify_one();
}

int main() {
  std::thread worker(work);
  set(has_job);
  set(must_stop);
  mz_event("closed");
  worker.join();
}
