// What the user says about the memory and the code of a program (Stoller's section 10), as
// addresses. report/input/annotations.h reads it, the runtime goes by it. Plain data: it travels
// through the shared segment.
#pragma once

#include <cstdint>

namespace mazurka {

// What the user says about static memory (Stoller's section 10).
enum class Sharing : uint8_t {
  Shared,     // nothing
  Unshared,   // one thread uses it, or else that is an error
  Tentative,  // one thread uses it, as far as is known
};

struct AnnotatedMemory {
  uint64_t begin;
  uint64_t end;
  Sharing sharing;
  uint8_t padding[7];
};

// And about code (the same section).
enum class Granularity : uint8_t {
  Fields,     // nothing
  Callee,     // inlined into a method: called by it, but no part of its operation
  Method,     // what it does to memory belongs to one operation
  Atomic,     // so does what the functions do that it calls
  Commuting,  // and two such operations may be swapped
};

struct AnnotatedCode {
  uint64_t begin;
  uint64_t end;
  uint64_t entry;  // of the function that it belongs to, for people
  Granularity granularity;
  Sharing allocates;  // heap blocks that are allocated in calls of it
  Sharing starts;     // stacks of the threads that begin here
  uint8_t is_main;
  uint32_t name;  // the same for all code of functions with one name
};

// Code by C++17, C17 or older standards, as far as that is known: there a release sequence also
// goes on with later stores of the thread that began it. What does not fit into the list is taken
// for newer code, where fewer accesses are ordered.
struct OlderCode {
  uint64_t begin;
  uint64_t end;
};
inline constexpr uint32_t kMaxOlderCode = 64;

// How many there may be of each.
inline constexpr uint32_t kMaxAnnotated = 1u << 12;
inline constexpr uint32_t kMaxAnnotatedCode = 1u << 12;

}  // namespace mazurka
