// Does a locked instruction on the registers and flags of a thread that has come to it.
#pragma once

#include <cstdint>

#include "protocol/patch_records.h"
#include "runtime/patches/patched_frame.h"

namespace mazurka {

// Where its operand lies.
uint8_t* operand_address(const PatchSite& site, uint64_t next_instruction,
                         const PatchedFrame& frame);

// What it brings along: the other operand, cut to the operand's size; of an operation on a bit, the
// number of the bit.
uint64_t operand_value(const PatchSite& site, const PatchedFrame& frame);

inline bool carries(const PatchedFrame& frame) { return (frame.flags & 1) != 0; }

// Reads and writes the program's memory.
void execute(const PatchSite& site, uint8_t* address, PatchedFrame& frame);

}  // namespace mazurka
