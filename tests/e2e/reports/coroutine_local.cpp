// What a coroutine keeps in its own frame, on the heap.
// kind: deadlock
// name: gate
// why: which it has itself held
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

static Task once_more() {
  std::mutex gate;
  gate.lock();
  co_await std::suspend_always{};
  gate.lock();  // mazurka: deadlock
}

int main() {
  Task task = once_more();
  std::thread runner([&] {
    while (!task.handle.done()) task.handle.resume();
  });
  runner.join();
}
