// What functions of libc do to memory, as accesses of those who call them: libc is not
// instrumented. Each function has a row in one of the tables here (text_rows.inc and its like),
// which makes a function of ours out of it; imports.cc puts these in the place of libc's, for
// instrumented modules only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cwchar>

#include "runtime/core/runtime.h"

// The compiler's own calls, at the place of another caller.
extern "C" {
void __tsan_read_range_pc(void* address, size_t size, void* pc);
void __tsan_write_range_pc(void* address, size_t size, void* pc);
}

namespace mazurka {

struct SeenCall {
  const char* symbol;
  void* ours;
  void** real;  // what stood in its place: libc's, or an interposer of ours
};
struct SeenCalls {
  const SeenCall* list;
  size_t count;
};
SeenCalls seen_text_calls();
SeenCalls seen_number_calls();
SeenCalls seen_stream_calls();
SeenCalls seen_system_calls();
SeenCalls seen_thread_calls();
SeenCalls seen_format_calls();
SeenCalls seen_container_calls();
SeenCalls seen_path_calls();

// Pointers that no program has memory at: a call that is given one fails, or is made to.
inline bool is_place(const volatile void* address) {
  const auto number = reinterpret_cast<uintptr_t>(address);
  return number >= 4096 && number < uintptr_t{1} << 47;
}

// Of one call, by whom it was made.
class SeenAccesses {
 public:
  SeenAccesses(const char* name, void* caller) : name_(name), caller_(caller) {}

  void reads(const volatile void* from, size_t size) const {
    if (is_place(from)) __tsan_read_range_pc(const_cast<void*>(from), size, caller_);
  }
  // Before it does so.
  void writes(volatile void* to, size_t size) const {
    if (is_place(to)) __tsan_write_range_pc(const_cast<void*>(to), size, caller_);
  }
  // It has: with --memory=visible that is too late to be interleaved, so it is named.
  void has_written(volatile void* to, size_t size) const;

  void text(const char* from) const {
    if (is_place(from)) reads(from, strlen(from) + 1);
  }
  // With the end, if it comes within so many bytes.
  void text(const char* from, size_t most) const {
    if (!is_place(from)) return;
    const size_t length = strnlen(from, most);
    reads(from, length < most ? length + 1 : most);
  }
  void text(const wchar_t* from) const {
    if (is_place(from)) reads(from, (wcslen(from) + 1) * sizeof *from);
  }
  void text(const wchar_t* from, size_t most) const {
    if (!is_place(from)) return;
    const size_t length = wcsnlen(from, most);
    reads(from, (length < most ? length + 1 : most) * sizeof *from);
  }
  // The kernel says so where there is nothing to be read.
  void path(const char* from) const { text(from); }
  // Up to the character that was found, or all of it.
  template <typename T>
  void up_to(const T* from, const T* found) const {
    if (found == nullptr) return text(from);
    reads(from, static_cast<size_t>(found - from + 1) * sizeof *from);
  }
  // Two texts, up to the first difference.
  template <typename T>
  void compared(const T* a, const T* b, size_t most = SIZE_MAX) const {
    size_t equal = 0;
    while (equal < most && a[equal] == b[equal] && a[equal] != 0) ++equal;
    const size_t size = (equal < most ? equal + 1 : most) * sizeof *a;
    reads(a, size);
    reads(b, size);
  }

  // A stream is used: libc locks it, but for who closes it. With --memory=visible its lock of ours
  // is what is interleaved.
  void uses(const void* stream) const;
  void ends(void* stream) const;

  // Right before the function is called: what it does is done at the caller's place
  // (place_of_call).
  void calls() const;

  void* caller() const { return caller_; }
  const char* name() const { return name_; }

 private:
  const char* name_;
  void* caller_;
};

// What a function leaves where its caller wants it: made here, and put there when it may be seen.
template <typename T>
class Out {
  static constexpr size_t kSize = sizeof(T);  // NOLINT(bugprone-sizeof-expression): whatever it is

 public:
  explicit Out(T* to) : to_(to) {
    if (is_place(to)) memcpy(&value_, to, kSize);
  }
  T* use() { return is_place(to_) ? &value_ : to_; }
  void came(const SeenAccesses& at) {
    if (!is_place(to_)) return;
    at.writes(to_, kSize);
    memcpy(to_, &value_, kSize);
  }

 private:
  T* to_;
  T value_;
};

// The same for bytes, of which only the function knows how many will come. Without
// --memory=visible they go where they belong at once.
class Arrival {
 public:
  Arrival(void* to, size_t most);
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;
  char* use() { return use_; }
  void came(size_t size, const SeenAccesses& at) const;

 private:
  char* to_;
  char* use_;
  char here_[4096];
};

// Memory that functions of libc keep for themselves, and that they do not lock.
extern char strtok_state[8];
extern char locale_state[8];
extern char random48_state[8];
extern char user_database_state[8];
extern char host_database_state[8];

}  // namespace mazurka

// A function's row: its type, name, parameters; the arguments that the real one gets; the accesses
// before it is called, and those after, where `result` is what it returned. `at` is the
// SeenAccesses. Each file with rows defines the macros anew, first for the functions and then for
// their list.
#define MAZURKA_SEEN_SECTION __attribute__((section("mazurka_seen_calls"), noinline))
// NOLINTBEGIN(bugprone-macro-parentheses): types, names, and lists that have their own
#define MAZURKA_SEEN_FUNCTION(type, name, parameters, arguments, before, after) \
  type(*real_##name) parameters;                                                \
  MAZURKA_SEEN_SECTION type seen_##name parameters {                            \
    const SeenAccesses at(#name, __builtin_return_address(0));                  \
    before;                                                                     \
    at.calls();                                                                 \
    type result = real_##name arguments;                                        \
    after;                                                                      \
    return result;                                                              \
  }
#define MAZURKA_SEEN_VOID_FUNCTION(name, parameters, arguments, before, after) \
  void(*real_##name) parameters;                                               \
  MAZURKA_SEEN_SECTION void seen_##name parameters {                           \
    const SeenAccesses at(#name, __builtin_return_address(0));                 \
    before;                                                                    \
    at.calls();                                                                \
    real_##name arguments;                                                     \
    after;                                                                     \
  }
#define MAZURKA_SEEN_ENTRY(symbol, name)          \
  {#symbol, reinterpret_cast<void*>(seen_##name), \
   reinterpret_cast<void**>(                      \
       const_cast<void*>(reinterpret_cast<const volatile void*>(&real_##name)))},
// NOLINTEND(bugprone-macro-parentheses)
