// Functions on numbers, times, the environment and arrays.
#include <arpa/inet.h>
#include <errno.h>
#include <grp.h>
#include <libgen.h>
#undef basename
#include <inttypes.h>
#include <locale.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include <cstring>

#include "runtime/libc/imports.h"
#include "runtime/libc/seen_calls.h"

// Of the mathematical library, which we are not linked with.
extern "C" int signgam __attribute__((weak));

namespace mazurka {
namespace {

// With the character at which it ends.
size_t number_size(const char* text, int base) {
  if (!is_place(text)) return 0;
  const int before = errno;
  char* end = nullptr;
  strtoull(text, &end, base);
  errno = before;
  return end == text ? 1 : static_cast<size_t>(end - text) + 1;
}

size_t float_size(const char* text) {
  if (!is_place(text)) return 0;
  const int before = errno;
  char* end = nullptr;
  strtod(text, &end);
  errno = before;
  return end == text ? 1 : static_cast<size_t>(end - text) + 1;
}

int* sign_of_gamma() { return &signgam; }

#define MAZURKA_SEEN MAZURKA_SEEN_FUNCTION
#define MAZURKA_SEEN_VOID MAZURKA_SEEN_VOID_FUNCTION
#include "runtime/libc/number_rows.inc"
#undef MAZURKA_SEEN
#undef MAZURKA_SEEN_VOID

#define MAZURKA_SEEN(type, name, parameters, arguments, before, after) \
  MAZURKA_SEEN_ENTRY(name, name)
#define MAZURKA_SEEN_VOID(name, parameters, arguments, before, after) MAZURKA_SEEN_ENTRY(name, name)
const SeenCall kNumberCalls[] = {
#include "runtime/libc/number_rows.inc"
};

}  // namespace

SeenCalls seen_number_calls() { return {kNumberCalls, sizeof kNumberCalls / sizeof *kNumberCalls}; }

}  // namespace mazurka
