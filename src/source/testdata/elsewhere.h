// A class whose only constructor is in another unit: clang describes it there alone.
#pragma once

#include <mutex>

namespace elsewhere {

class Meter {
 public:
  Meter();

 private:
  friend const void* lock_of(const Meter& meter);

  long reading_;
  std::mutex lock;
};

extern Meter meter;
const void* lock_of(const Meter& meter);

}  // namespace elsewhere
