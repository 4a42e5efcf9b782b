// A look at the program's memory: the state after a plan's steps is held still until the tool has
// read what it wants.
//
// The plan asks for it by PlanHeader::show_output; the process with the baton says by
// Control::ready that it stands still (all others wait for the baton), and goes on to the
// execution's end when the tool has set it back. The frames that a thread is in have registers
// then: each thread's lie at a place of their own in Segment::frames.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "protocol/segment.h"

namespace mazurka {

inline constexpr uint8_t kShowsAndStands = 2;  // PlanHeader::show_output
inline constexpr uint32_t kStandsStill = 2;    // Control::ready

// The registers of a function's frame when it made the call that it is in: those that survive
// calls.
struct LookFrame {
  uint64_t pc;  // return address of that call
  uint64_t
      stack_pointer;  // after it returns; the caller's is this function's canonical frame address
  uint64_t rbx, rbp, r12, r13, r14, r15;
  uint64_t thread_pointer;  // its thread's: thread-local variables lie below it
};
static_assert(is_laid_out<LookFrame, 72>);
inline constexpr uint32_t kLookWords = sizeof(LookFrame) / sizeof(uint64_t);
inline constexpr uint32_t kMostLookFrames = 64;
static_assert(kMaxThreads * kMostLookFrames * kLookWords <= kMaxFrames);

constexpr uint32_t look_begin(ThreadId id) { return index(id) * kMostLookFrames * kLookWords; }

}  // namespace mazurka
