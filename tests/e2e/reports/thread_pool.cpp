// A pool whose destructor says stop without the lock: a worker may miss it.
// compiler: mazurka-c++
// Built plainly it is missed: the look at stop_ is a plain load.
// kind: deadlock
// name: pool.ready_
// name: pool.mutex_
// why: notify_all at @stop by T0 came before T0.1
// why: began to wait on pool.ready_ at @here
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

class ThreadPool {
 public:
  ThreadPool() : worker_([this] { run(); }) {}
  ~ThreadPool() {
    stop_ = true;
    // The worker may have looked at stop_ before, and not wait yet.
    ready_.notify_all();  // @stop
    worker_.join();
  }

 private:
  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stop_) {
      pause();
      ready_.wait(lock);  // mazurka: deadlock
    }
  }
  // Something that the others may come before.
  void pause() { std::lock_guard<std::mutex> lock(jobs_mutex_); }

  std::mutex mutex_;
  std::mutex jobs_mutex_;
  std::condition_variable ready_;
  std::atomic<bool> stop_{false};
  std::thread worker_;
};

int main() { ThreadPool pool; }
