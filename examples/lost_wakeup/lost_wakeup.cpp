// A consumer sleeps until the producer says that the data is there.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable arrived;
int data = 0;

void consume() {
  std::unique_lock<std::mutex> lock(mutex);
  arrived.wait(lock);  // mazurka: deadlock
  data = 0;
}

int main() {
  std::thread consumer(consume);
  {
    std::lock_guard<std::mutex> lock(mutex);
    data = 42;
  }
  arrived.notify_one();
  consumer.join();
}
