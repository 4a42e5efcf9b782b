// What a thread does between a locked instruction that changed nothing and its next operation, seen
// by one instruction at a time. Such an instruction may be a look of a loop that waits
// (spin_trail.h). A loop that counts in memory, or writes there what lasts, does not come round to
// the same state; and one that reads further words goes on when these change.
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "runtime/patches/memory_use.h"
#include "runtime/patches/patched_frame.h"

namespace mazurka {

// The current thread is about to go on behind its instruction.
void watch_stretch(PatchedFrame& frame);

// Whether it is seen now; then a trap is for stretch_step, unless a patch made it.
bool stretch_is_watched();
void stretch_step(ucontext_t& interrupted);

// At the end of a yield that was free: true if it was part of such a stretch, which goes on as soon
// as the thread goes by single instructions again.
bool go_on_with_stretch();

// Nothing more is to be seen of it, and it may have done anything.
void give_up_stretch(ucontext_t& interrupted);

// The registers of an interrupted thread.
MachineState machine_at(const greg_t* from);

// What the thread has read since, when it has come to its next locked instruction: words elsewhere
// than on its own stack.
struct LookedAt {
  const uint8_t* address;
  uint8_t size;
};
struct LookedAtWords {
  const LookedAt* words;
  uint32_t count;
};
// Empty, when it is asked again.
LookedAtWords take_looked_at_words();

}  // namespace mazurka
