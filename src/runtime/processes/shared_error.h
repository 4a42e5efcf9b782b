// Why a child could not exec, told to its parent.
#pragma once

#include <sys/mman.h>

#include "runtime/core/raw.h"

namespace mazurka {

// One page that parent and child share past fork; 0 at first.
class SharedError {
 public:
  SharedError()
      : page_(raw_syscall(SYS_mmap, 0, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                          -1, 0)) {}
  ~SharedError() {
    if (exists()) raw_syscall(SYS_munmap, page_, kSize);
  }
  SharedError(const SharedError&) = delete;
  SharedError& operator=(const SharedError&) = delete;

  bool exists() const { return !raw_failed(page_); }
  volatile int& value() { return *reinterpret_cast<volatile int*>(page_); }

 private:
  static constexpr long kSize = 4096;
  long page_;
};

}  // namespace mazurka
