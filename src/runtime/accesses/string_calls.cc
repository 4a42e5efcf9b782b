// What libc's functions on strings do to memory, as accesses of those who call them: libc itself is
// not instrumented. mazurka-cc makes calls of these functions calls of ours (the linker's --wrap);
// memcpy and its like are in access_calls.cc.
#include <cstdlib>
#include <cstring>

#include "runtime/core/runtime.h"

// The compiler's own calls, at the place of another caller.
extern "C" {
void __tsan_read_range_pc(void* address, size_t size, void* pc);
void __tsan_write_range_pc(void* address, size_t size, void* pc);
}

namespace mazurka {
namespace {

void reads(const void* from, size_t size, void* caller) {
  __tsan_read_range_pc(const_cast<void*>(from), size, caller);
}
void writes(void* to, size_t size, void* caller) { __tsan_write_range_pc(to, size, caller); }

size_t bytes_of(const char* text) { return strlen(text) + 1; }

// With the end, if it comes within so many bytes.
size_t bytes_of(const char* text, size_t most) {
  const size_t length = strnlen(text, most);
  return length < most ? length + 1 : most;
}

// What a search for the character looks at: up to where it is, or all of it.
size_t up_to(const void* from, const void* found, size_t all) {
  return found == nullptr ? all
                          : static_cast<size_t>(static_cast<const char*>(found) -
                                                static_cast<const char*>(from)) +
                                1;
}

// Of two strings, up to the first difference.
size_t compared(const char* a, const char* b, size_t most) {
  size_t equal = 0;
  while (equal < most && a[equal] == b[equal] && a[equal] != '\0') ++equal;
  return equal < most ? equal + 1 : most;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

#define CALLER __builtin_return_address(0)

MAZURKA_EXPORT char* __wrap_strncpy(char* to, const char* from, size_t size) {
  reads(from, bytes_of(from, size), CALLER);
  writes(to, size, CALLER);
  return strncpy(to, from, size);
}
MAZURKA_EXPORT char* __wrap_stpcpy(char* to, const char* from) {
  const size_t size = bytes_of(from);
  reads(from, size, CALLER);
  writes(to, size, CALLER);
  return stpcpy(to, from);
}
MAZURKA_EXPORT char* __wrap_strcat(char* to, const char* from) {
  const size_t before = strlen(to);
  const size_t size = bytes_of(from);
  reads(to, before + 1, CALLER);
  reads(from, size, CALLER);
  writes(to + before, size, CALLER);
  return strcat(to, from);
}
MAZURKA_EXPORT char* __wrap_strncat(char* to, const char* from, size_t most) {
  const size_t before = strlen(to);
  const size_t length = strnlen(from, most);
  reads(to, before + 1, CALLER);
  reads(from, bytes_of(from, most), CALLER);
  writes(to + before, length + 1, CALLER);
  return strncat(to, from, most);
}
MAZURKA_EXPORT int __wrap_strncmp(const char* a, const char* b, size_t most) {
  const size_t size = compared(a, b, most);
  reads(a, size, CALLER);
  reads(b, size, CALLER);
  return strncmp(a, b, most);
}
MAZURKA_EXPORT char* __wrap_strchr(const char* text, int character) {
  reads(text, up_to(text, strchr(text, character), bytes_of(text)), CALLER);
  return const_cast<char*>(strchr(text, character));
}
MAZURKA_EXPORT char* __wrap_strrchr(const char* text, int character) {
  reads(text, bytes_of(text), CALLER);
  return const_cast<char*>(strrchr(text, character));
}
MAZURKA_EXPORT char* __wrap_strstr(const char* text, const char* wanted) {
  reads(text, bytes_of(text), CALLER);
  reads(wanted, bytes_of(wanted), CALLER);
  return const_cast<char*>(strstr(text, wanted));
}
MAZURKA_EXPORT size_t __wrap_strnlen(const char* text, size_t most) {
  reads(text, bytes_of(text, most), CALLER);
  return strnlen(text, most);
}
MAZURKA_EXPORT void* __wrap_memchr(const void* from, int character, size_t size) {
  reads(from, up_to(from, memchr(from, character, size), size), CALLER);
  return const_cast<void*>(memchr(from, character, size));
}
// The copy is the caller's own, and new.
MAZURKA_EXPORT char* __wrap_strdup(const char* text) {
  reads(text, bytes_of(text), CALLER);
  return strdup(text);
}
