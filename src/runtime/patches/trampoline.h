// The code that a thread runs in place of a locked instruction: it goes to patched_entry.S with the
// number of the patch, and from there to what was moved along with the instruction, and back.
#pragma once

#include <cstdint>

#include "protocol/patch_records.h"

namespace mazurka {

inline constexpr uint32_t kLongestTrampoline = 96;

struct Trampoline {
  const uint8_t* code;
  const uint8_t* rest;
  const uint8_t* end;
};

// Writes it at `to`, for the instruction at `address`. `entry` is a word nearby that holds the
// address of patched_entry.S. Requires that all are within two gigabytes of each other.
Trampoline write_trampoline(uint8_t* to, uint64_t address, const PatchSite& site, uint32_t number,
                            const uint64_t* entry);

// What to put in place of the instruction: `span` bytes.
void write_jump(uint8_t* to, uint64_t address, const PatchSite& site, const uint8_t* target);

}  // namespace mazurka
