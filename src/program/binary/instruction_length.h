// How long an x86-64 instruction is, quickly: most functions have no locked instruction, and a
// decoder that knows all about each of theirs takes twenty times as long to find that out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mazurka {

// Of the instruction that begins here. 0: it is no usual one, or not whole.
size_t instruction_length(std::span<const uint8_t> bytes);

}  // namespace mazurka
