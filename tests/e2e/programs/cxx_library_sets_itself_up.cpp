// expect: executions=1 transitions=1 verdict=ok
// Locales and the unwinder set themselves up in whichever thread needs them first: no operation of
// the program's. The one that is left is the join.
#include <cassert>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

static void use() {
  std::ostringstream text;
  text << 1.5 << std::ifstream("/dev/null").is_open();
  assert(text.str() == "1.51");
  try {
    throw std::runtime_error("thrown");
  } catch (const std::runtime_error&) {
  }
}

int main() {
  std::thread other(use);
  use();
  other.join();
}
