// The locked instructions of this process that were replaced, so that the thread that comes to one
// of them comes to us (patched_step.cc): by a jump where that fits, by a trap where it does not.
// The tool has found them (protocol/patch_records.h). Code is not part of what a reset in place
// copies back, and fork copies it: each module is patched once.
#pragma once

#include <cstdint>

#include "protocol/patch_records.h"

namespace mazurka {

// Whether some process of the program has such instructions.
bool atomics_are_seen();

// Looks for modules that were not patched yet, and patches them. Requires that one thread runs.
// Called before the first execution, after an exec, and after a library was loaded.
void patch_modules();

// A library may have been loaded since patch_modules().
extern bool modules_may_be_new;

struct Patch {
  uint64_t address;     // of the instruction
  const uint8_t* code;  // where the thread goes instead, and saves its registers
  const uint8_t* rest;  // and where it goes on
  PatchSite site;
};

// By the number that the thread brings along.
const Patch& patch_number(uint64_t number);
// The one whose instruction begins at this address, or null.
const Patch* patch_at(uint64_t address);

}  // namespace mazurka
