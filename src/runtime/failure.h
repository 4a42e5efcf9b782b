// How calls of the C library say that they failed: -1, and why in errno.
#pragma once

#include <cerrno>

namespace mazurka {

inline int fail(int error) {
  errno = error;
  return -1;
}

// Of what is 0 or an errno value.
inline int fail_if(int error) { return error == 0 ? 0 : fail(error); }

}  // namespace mazurka
