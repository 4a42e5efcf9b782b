// A stopped program, as far as values of variables need it: its memory, and the registers of a
// function's frame.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace mazurka {

// Copies `size` bytes at `address` of the program. False if they cannot all be read.
using ReadMemory = std::function<bool(uint64_t address, void* to, size_t size)>;

struct FrameState {
  uint64_t pc = 0;  // return address of the call that it is in
  uint64_t cfa =
      0;  // canonical frame address: the stack pointer before it was called; 0 if unknown
  // By DWARF's numbers for x86-64: 3 is rbx, 6 rbp, 7 rsp, 12 to 15. The others did not survive the
  // call.
  std::array<std::optional<uint64_t>, 17> registers;
  uint64_t thread_pointer = 0;  // of its thread; 0 if unknown
};

}  // namespace mazurka
