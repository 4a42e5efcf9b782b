// The registers of a thread at a locked instruction that was replaced (patched_entry.S).
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

struct PatchedFrame {
  uint64_t registers[16];  // by number (patch_records.h)
  uint64_t flags;
  uint64_t patch;  // its number (patches.h)
  uint64_t pc;     // for unwinders: behind the first byte of the instruction
};
static_assert(offsetof(PatchedFrame, pc) == 144);

}  // namespace mazurka
