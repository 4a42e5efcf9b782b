// Two coroutines that each hold a lock while they resume the other's work.
// kind: deadlock
// name: first
// name: second
// why: waits for
#include <coroutine>
#include <mutex>
#include <thread>

struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

static Task move_item(std::mutex& from, std::mutex& to) {
  std::lock_guard<std::mutex> source(from);
  co_await std::suspend_always{};
  std::lock_guard<std::mutex> target(to);  // mazurka: deadlock
}

static void run(Task task) {
  while (!task.handle.done()) task.handle.resume();
  task.handle.destroy();
}

int main() {
  std::mutex first;
  std::mutex second;
  std::thread one([&] { run(move_item(first, second)); });
  std::thread two([&] { run(move_item(second, first)); });
  one.join();
  two.join();
}
