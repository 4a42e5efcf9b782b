// Functions on bytes and strings.
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

#include <cctype>
#include <cstdlib>

#include "runtime/libc/seen_calls.h"

namespace mazurka {
namespace {

constexpr size_t kWide = sizeof(wchar_t);

// What a search looks at: up to where it is, or all of it.
size_t size_up_to(const void* from, const void* found, size_t all) {
  if (found == nullptr) return all;
  return static_cast<size_t>(static_cast<const char*>(found) - static_cast<const char*>(from)) + 1;
}

size_t size_of_equal(const void* a, const void* b, size_t most) {
  const auto* const first = static_cast<const char*>(a);
  const auto* const second = static_cast<const char*>(b);
  size_t equal = 0;
  while (equal < most && first[equal] == second[equal]) ++equal;
  return equal < most ? equal + 1 : most;
}

// Up to the first letters that are not the same in upper case.
size_t size_alike(const char* a, const char* b, size_t most) {
  size_t alike = 0;
  while (alike < most && a[alike] != '\0' &&
         toupper(static_cast<unsigned char>(a[alike])) ==
             toupper(static_cast<unsigned char>(b[alike])))
    ++alike;
  return alike < most ? alike + 1 : most;
}

#define MAZURKA_SEEN MAZURKA_SEEN_FUNCTION
#define MAZURKA_SEEN_VOID MAZURKA_SEEN_VOID_FUNCTION
#include "runtime/libc/text_rows.inc"
#undef MAZURKA_SEEN
#undef MAZURKA_SEEN_VOID

#define MAZURKA_SEEN(type, name, parameters, arguments, before, after) \
  MAZURKA_SEEN_ENTRY(name, name)
#define MAZURKA_SEEN_VOID(name, parameters, arguments, before, after) MAZURKA_SEEN_ENTRY(name, name)
const SeenCall kTextCalls[] = {
#include "runtime/libc/text_rows.inc"
};

}  // namespace

SeenCalls seen_text_calls() { return {kTextCalls, sizeof kTextCalls / sizeof *kTextCalls}; }

}  // namespace mazurka
