// expect: executions=2 transitions=10 verdict=ok
// Exceptions under way in two threads at once, each with a lock operation in its handlers, and one
// that crosses by exception_ptr.
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static std::mutex mutex;
static int destroyed;

struct Locks {
  ~Locks() {
    std::lock_guard<std::mutex> guard(mutex);
    ++destroyed;
  }
};

static std::exception_ptr throw_and_catch(const std::string& text) {
  try {
    Locks in_the_way;
    throw std::runtime_error(text);
  } catch (const std::exception& error) {
    assert(error.what() == text);
    return std::current_exception();
  }
}

int main() {
  std::exception_ptr carried;
  std::thread other([&] { carried = throw_and_catch("there"); });
  throw_and_catch("here");
  other.join();
  bool caught = false;
  try {
    std::rethrow_exception(carried);
  } catch (const std::runtime_error& error) {
    caught = error.what() == std::string("there");
  }
  assert(caught && destroyed == 2 && std::uncaught_exceptions() == 0);
}
