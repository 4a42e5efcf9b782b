// Reading and writing channels that have a model: the model says whether a call waits and how much
// it transfers, and when it was chosen, the kernel moves the bytes: that cannot block any more.
#pragma once

#include <sys/types.h>

#include "runtime/core/runtime.h"

namespace mazurka {

// The call that the kernel does for us: goes on after `done` bytes, with `count` at most.
struct KernelCall {
  ssize_t (*function)(const void* context, size_t done, size_t count);
  const void* context;

  ssize_t transfer(size_t done, size_t count) const { return function(context, done, count); }
};

struct Transfer {
  int fd = -1;
  size_t count = 0;
  uint8_t flags = 0;            // of the operation: kTry, kPeek
  bool waits_for_all = false;   // MSG_WAITALL
  bool no_signal = false;       // MSG_NOSIGNAL
  bool can_be_partial = false;  // the kernel's call takes any count
};

// Requires description_of(fd) != kNoObject. errno is set where the result is -1.
ssize_t read_channel(const Transfer& wanted, const KernelCall& kernel, Call call);
ssize_t write_channel(const Transfer& wanted, const KernelCall& kernel, Call call);

// From a function `real(done, count)`, which must live as long.
template <typename F>
KernelCall kernel_call(const F& real) {
  return {[](const void* context, size_t done, size_t count) {
            return (*static_cast<const F*>(context))(done, count);
          },
          &real};
}

}  // namespace mazurka
