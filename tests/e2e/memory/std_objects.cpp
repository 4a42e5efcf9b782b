// What the C++ library shares between threads, used rightly, is no race.
// check WAIT: verdict=ok orders=weak compare=no builds=one
// check POINTER: verdict=ok orders=weak compare=no builds=clang
// check FUTURE: verdict=ok orders=weak builds=one
// check EXCEPTION: verdict=ok orders=weak builds=clang
// check JTHREAD: verdict=ok orders=weak builds=one
// check BROKEN: verdict=error findings=race orders=weak builds=clang
#include <atomic>
#include <cassert>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Node {
  int value = 1;
  std::string name = "a name that is too long to be stored in the string itself";
};

#if defined WAIT
std::atomic<int> state{0};
int data;
int main() {
  std::thread other([] {
    state.wait(0);
    assert(data == 1);
    state = 2;
    state.notify_one();
  });
  data = 1;
  state = 1;
  state.notify_one();
  state.wait(1);
  other.join();
}
#elif defined POINTER
int main() {
  auto shared = std::make_shared<Node>();
  std::weak_ptr<Node> weak = shared;
  std::thread other([shared]() mutable {
    assert(shared->name.size() > 20);
    shared.reset();
  });
  std::thread third([weak] {
    if (auto mine = weak.lock()) assert(mine->value == 1);
  });
  shared.reset();
  other.join();
  third.join();
}
#elif defined FUTURE
int main() {
  std::promise<std::vector<int>> promise;
  std::future<std::vector<int>> future = promise.get_future();
  std::thread other([promise = std::move(promise)]() mutable { promise.set_value({1, 2, 3}); });
  assert(future.get().size() == 3);
  other.join();
  auto later = std::async(std::launch::async, [] { return 4; });
  assert(later.get() == 4);
}
#elif defined EXCEPTION
int main() {
  std::promise<void> promise;
  std::thread other([&] {
    try {
      throw std::runtime_error("thrown in another thread");
    } catch (const std::exception& e) {
      promise.set_exception(std::current_exception());
      assert(e.what()[0] == 't');
    }
  });
  try {
    promise.get_future().get();
    assert(false);
  } catch (const std::exception& e) {
    assert(e.what()[0] == 't');
  }
  other.join();
}
#elif defined JTHREAD
int main() {
  int steps = 0;
  {
    std::jthread worker([&](std::stop_token stop) {
      while (!stop.stop_requested()) std::this_thread::yield();
      ++steps;
    });
  }
  assert(steps == 1);
}
#elif defined BROKEN
std::shared_ptr<Node> current = std::make_shared<Node>();
int main() {
  std::thread other([] { current = std::make_shared<Node>(); });  // mazurka: race
  std::shared_ptr<Node> seen = current;                           // mazurka: race
  other.join();
}
#endif
