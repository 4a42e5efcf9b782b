// Where memory is, for people and for those who compare executions; and what is wrong with two
// accesses to it. Plain data: it travels through the shared segment.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace mazurka {

// Where that is, for people.
enum class Storage : uint8_t { Unknown, Module, Stack, Heap, Shared, Name, Kernel };

struct ObjectPlace {
  Storage storage;
  uint8_t padding;
  ThreadId thread;  // Heap, Stack: whose
  uint32_t count;   // Heap: which of its allocations
  uint64_t offset;  // Heap: in the block
  uint32_t text;    // Name: its kept text, 0 for none
  uint32_t number;  // System V: which semaphore of the set
};

// Memory that several threads use (known_words.h).
struct MemoryWord {
  uint64_t address;  // as in ObjectName, and the next
  uint32_t space;
  uint16_t cuts;      // bytes, as a mask, at which accesses to it begin, or end before
  uint16_t new_cuts;  // those, and what this execution has seen
};

enum class ConflictKind : uint8_t {
  Race,
  Discipline,  // no lock protects them both (Stoller's MLD')
  Strict,      // the same, and the first was in another execution
  Unshared,    // the memory was said to be of one thread
  Tentative,   // it was taken to be of one thread, and is not
  Torn,        // one belongs to a call that was said to be one operation, and nothing orders them
  InsideCall,  // no two accesses: the second is an operation inside such a call, the first says
               // where that is
};

}  // namespace mazurka
