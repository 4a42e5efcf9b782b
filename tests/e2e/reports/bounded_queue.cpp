// A queue of templates, with one condition for producers and consumers, of whom only one is woken.
// kind: deadlock
// name: queue.changed_
// name: queue.mutex_
// why: notify_one at @pop woke T0.4
// why: which waits on queue.changed_ at @here
// why: was never notified
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(size_t most) : most_(most) {}
  void push(T value) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return values_.size() < most_; });  // mazurka: deadlock
    values_.push_back(std::move(value));
    changed_.notify_one();
  }
  T pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return !values_.empty(); });
    T value = std::move(values_.front());
    values_.pop_front();
    changed_.notify_one();  // @pop
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> values_;
  size_t most_;
};

int main() {
  BoundedQueue<int> queue(1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back([&queue, i] { queue.push(i); });
  for (int i = 0; i < 2; ++i) threads.emplace_back([&queue] { queue.pop(); });
  for (std::thread& thread : threads) thread.join();
}
