// Libraries that the program loads itself. The real function must find its caller's return address,
// since it looks for libraries where that says: so nothing is done after it, and what the library
// has is replaced when its thread comes to an operation.
#include <dlfcn.h>

#include "runtime/core/runtime.h"
#include "runtime/patches/patches.h"

using namespace mazurka;

MAZURKA_EXPORT void* dlopen(const char* file, int mode) noexcept {
  modules_may_be_new = true;
  return REAL(dlopen)(file, mode);
}
