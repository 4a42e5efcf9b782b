// What the next instruction of a thread does to memory, as far as a loop that waits needs it: for
// loop bodies, which are made of few kinds of instructions. What is not known to be harmless is
// Unknown. Stacks are left out: a push, a call and a return have no use of memory here.
#pragma once

#include <cstdint>

namespace mazurka {

struct MemoryUse {
  enum class Kind : uint8_t { None, Load, Store, Unknown };
  Kind kind = Kind::None;
  uint64_t address = 0;
  uint32_t size = 0;  // in bytes
};

// Registers by number, as instructions have them (rax, rcx, rdx, rbx, rsp...).
struct MachineState {
  uint64_t registers[16];
  uint64_t pc;
  uint64_t thread_base;  // of fs
};

// Reads at most 15 bytes from `code`, which stands for what lies at machine.pc.
MemoryUse memory_use(const uint8_t* code, const MachineState& machine);

}  // namespace mazurka
