// expect: verdict=ok atomics=off
// async, promise and packaged_task: values and exceptions arrive.
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::future<int> answer = std::async(std::launch::async, [] { return 42; });
  assert(answer.get() == 42);

  std::promise<int> promise;
  std::future<int> promised = promise.get_future();
  std::thread other(
      [&] { promise.set_exception(std::make_exception_ptr(std::runtime_error("no"))); });
  const std::future_status status = promised.wait_for(std::chrono::seconds(1));
  assert(status == std::future_status::ready || status == std::future_status::timeout);
  bool thrown = false;
  try {
    promised.get();
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  other.join();
  assert(thrown);
}
