// One kernel thread that does what others ask, one thing after the other. The simulated program is
// started by it and dies with it, and the large worlds of replays are its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace mazurka {

class Worker {
 public:
  Worker() : thread_([this] { work(); }) {}
  // What is queued is done first.
  ~Worker() {
    add(std::packaged_task<void()>());
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Returns when it is done.
  void call(const std::function<void()>& job) {
    std::packaged_task<void()> task(job);
    std::future<void> done = task.get_future();
    add(std::move(task));
    done.get();
  }

 private:
  void add(std::packaged_task<void()> task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(std::move(task));
    waiting_.notify_one();
  }

  void work() {
    for (;;) {
      std::unique_lock<std::mutex> lock(mutex_);
      waiting_.wait(lock, [this] { return !tasks_.empty(); });
      std::packaged_task<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      if (!task.valid()) return;
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable waiting_;
  std::deque<std::packaged_task<void()>> tasks_;
  std::thread thread_;  // the last: it uses the others
};

}  // namespace mazurka
