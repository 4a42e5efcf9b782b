// Vector clocks for data races: what happens before what, by the operations that C, C++ and POSIX
// say order memory. They live in the part of memory that processes share (seen_memory.h): whoever
// holds the baton notes each step.
#pragma once

#include <cstdint>

#include "runtime/core/runtime.h"

namespace mazurka {

// An access's time: the execution, the thread, how many releases it had done; and which bytes of a
// word of 8.
using Epoch = uint64_t;
inline constexpr int kEpochGenerationShift = 44;
inline constexpr int kEpochThreadShift = 34;
inline constexpr int kEpochClockShift = 8;
inline constexpr uint64_t kEpochBytes = 0xff;
static_assert(kMaxThreads <= 1u << (kEpochGenerationShift - kEpochThreadShift));

constexpr uint32_t generation_of(Epoch epoch) {
  return static_cast<uint32_t>(epoch >> kEpochGenerationShift);
}
constexpr ThreadId thread_of(Epoch epoch) {
  return ThreadId((epoch >> kEpochThreadShift) & (kMaxThreads - 1));
}
constexpr uint32_t clock_of(Epoch epoch) {
  return static_cast<uint32_t>(epoch >> kEpochClockShift) & ((1u << 26) - 1);
}

// The current thread's time, without bytes. 0 while nothing is checked.
extern Epoch current_epoch;
// Of each thread, what the current one knows.
extern const uint32_t* current_clocks;

// Whether the access happened before what the current thread does now.
inline bool is_known(Epoch epoch) {
  return clock_of(epoch) <= current_clocks[index(thread_of(epoch))];
}

// Of which of the first threads the current one knows anything: a bit for each. Requires at
// most 32.
uint32_t threads_known(uint32_t count);

void begin_clocks();
// Those of the threads, for executions that begin later (seen_memory.h). False: there are others,
// too, or too many.
bool save_clocks();
void restore_clocks();
// The current thread is this one, or its time has changed.
void show_clock(ThreadId thread);

void order_creation(ThreadId creator, ThreadId created);
// Before an operation is applied, and after it was.
void order_before_step(ThreadId thread, const Operation& op, Outcome outcome);
void order_step(ThreadId thread, const Operation& op, const Effect& effect);
// The thread is the last of its process, and about to do what exit does.
void order_last_thread(ThreadId thread);
// atomic_thread_fence, of the current thread. `flags`: kAcquire, kRelease.
void order_fence(uint8_t flags);

}  // namespace mazurka
