// check: verdict=error findings=assertion
// check FIXED: verdict=ok locked=yes
// Who lets go of a shared object last depends on the order of the counts.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

static std::thread::id destroyer;

struct Object {
  ~Object() { destroyer = std::this_thread::get_id(); }
};

int main() {
  auto mine = std::make_shared<Object>();
  std::thread other([theirs = mine]() mutable { theirs.reset(); });
  const auto its_id = other.get_id();
#ifdef FIXED
  other.join();
  mine.reset();
  assert(destroyer != its_id);
#else
  mine.reset();
  other.join();
  assert(destroyer == its_id);
#endif
}
