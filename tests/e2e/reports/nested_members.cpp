// A lock two members deep, which a callback takes again.
// kind: deadlock
// name: app.events_.queue.mutex
// why: waits for app.events_.queue.mutex at @here, which it has itself held since it locked it at
// @post
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

struct Queue {
  std::mutex mutex;
  std::vector<int> values;
};

struct Events {
  Queue queue;
  std::function<void()> listener;
};

class Application {
 public:
  void post(int value) {
    std::lock_guard<std::mutex> lock(events_.queue.mutex);  // @post
    events_.queue.values.push_back(value);
    if (events_.listener) events_.listener();
  }
  void listen() {
    events_.listener = [this] { drain(); };
  }
  void drain() {
    std::lock_guard<std::mutex> lock(events_.queue.mutex);  // mazurka: deadlock
    events_.queue.values.clear();
  }

 private:
  Events events_;
};

int main() {
  Application app;
  app.listen();
  std::thread poster([&app] { app.post(1); });
  poster.join();
}
