#include "runtime/core/limits.h"

#include <cstring>

#include "protocol/limit_mark.h"
#include "runtime/core/runtime.h"

namespace mazurka {

void limit_reached(const char* what) {
  static char text[256];
  constexpr size_t kMark = sizeof kLimitMark - 1;
  memcpy(text, kLimitMark, kMark);
  size_t length = strlen(what);
  if (length > sizeof text - kMark - 1) length = sizeof text - kMark - 1;
  memcpy(text + kMark, what, length);
  text[kMark + length] = 0;
  runtime_error(text);
}

}  // namespace mazurka
