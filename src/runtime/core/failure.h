// How calls of the C library say that they failed: -1, and why in errno.
#pragma once

#include <cerrno>

#include "runtime/core/raw.h"

namespace mazurka {

inline int fail(int error) {
  errno = error;
  return -1;
}

// Of what is 0 or an errno value.
inline int fail_if(int error) { return error == 0 ? 0 : fail(error); }

// Of what a system call returns.
inline long with_errno(long result) {
  return raw_failed(result) ? fail(static_cast<int>(-result)) : result;
}
inline int number_with_errno(long result) { return static_cast<int>(with_errno(result)); }

}  // namespace mazurka
