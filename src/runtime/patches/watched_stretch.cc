#include "runtime/patches/watched_stretch.h"

#include <sched.h>

#include <cstring>

#include "protocol/patch_records.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/core/crash.h"
#include "runtime/core/state.h"
#include "runtime/patches/memory_use.h"
#include "runtime/signals/signal_handler.h"

extern "C" __attribute__((visibility("hidden"))) void mazurka_patched_entry();

namespace mazurka {
namespace {

constexpr uint64_t kTrapFlag = 0x100;
constexpr uint32_t kMostSteps = 3000;
constexpr uint64_t kLineSize = 64;

struct Line {
  uint64_t address;
  uint8_t bytes[kLineSize];  // before the first store
};

struct Stretch {
  static constexpr uint32_t kMostLines = 32;
  static constexpr uint32_t kMostWords = 16;
  bool is_active;
  bool has_left;  // our own code
  bool is_unclear;
  uint32_t steps;
  uint32_t line_count;
  uint32_t word_count;
  Line lines[kMostLines];
  LookedAt words[kMostWords];
  // It was left by a call that may turn out to be harmless.
  bool may_go_on;
  ThreadId owner;
  uint64_t activity;  // before that
  uint32_t words_before;
};
Stretch stretch_now;

bool is_in_own_code(uint64_t pc) {
  uintptr_t start = 0;
  size_t length = 0;
  return own_code(start, length) && pc - start < length;
}

// The frames of the thread belong to the state that is compared.
bool is_in_frames(uint64_t address, uint64_t stack_pointer) {
  constexpr uint64_t kRedZone = 128;
  const auto end = reinterpret_cast<uint64_t>(context(state.current).first_frame);
  return address >= stack_pointer - kRedZone && address < end;
}

void keep_line(uint64_t address) {
  Stretch& now = stretch_now;
  for (uint32_t i = 0; i < now.line_count; ++i) {
    if (now.lines[i].address == address) return;
  }
  const auto* const bytes = reinterpret_cast<const uint8_t*>(address);
  if (now.line_count == Stretch::kMostLines || !can_read(bytes)) {
    now.is_unclear = true;
    return;
  }
  Line& line = now.lines[now.line_count++];
  line.address = address;
  memcpy(line.bytes, bytes, kLineSize);
}

void keep_words(uint64_t address, uint32_t size) {
  constexpr uint32_t kMost = sizeof(uint64_t);
  for (; size > kMost; size -= kMost, address += kMost) keep_words(address, kMost);
  Stretch& now = stretch_now;
  const auto* const bytes = reinterpret_cast<const uint8_t*>(address);
  for (uint32_t i = 0; i < now.word_count; ++i) {
    if (now.words[i].address == bytes && now.words[i].size == size) return;
  }
  if (now.word_count == Stretch::kMostWords) {
    now.is_unclear = true;
    return;
  }
  now.words[now.word_count++] = {bytes, static_cast<uint8_t>(size)};
}

void keep_lines(uint64_t address, uint32_t size) {
  for (uint64_t line = address & ~(kLineSize - 1); line < address + size; line += kLineSize)
    keep_line(line);
}

// Before the instruction is done. One that stores may read the same bytes, too.
void note_use(const MachineState& machine) {
  // At a trap nothing is done: where it leads to follows.
  const MemoryUse use = memory_use(reinterpret_cast<const uint8_t*>(machine.pc), machine);
  const bool is_elsewhere = !is_in_frames(use.address, machine.registers[kStackPointer]);
  switch (use.kind) {
    case MemoryUse::Kind::None:
      return;
    case MemoryUse::Kind::Unknown:
      stretch_now.is_unclear = true;
      return;
    case MemoryUse::Kind::Store:
      if (is_elsewhere) keep_lines(use.address, use.size);
      [[fallthrough]];
    case MemoryUse::Kind::Load:
      if (is_elsewhere) keep_words(use.address, use.size);
      return;
  }
}

bool has_lasting_effect() {
  const Stretch& now = stretch_now;
  for (uint32_t i = 0; i < now.line_count; ++i) {
    const Line& line = now.lines[i];
    if (memcmp(line.bytes, reinterpret_cast<const void*>(line.address), kLineSize) != 0)
      return true;
  }
  return now.is_unclear;
}

void stop_stepping(ucontext_t& interrupted) {
  interrupted.uc_mcontext.gregs[REG_EFL] &= ~static_cast<greg_t>(kTrapFlag);
  stretch_now.is_active = false;
  if (!has_lasting_effect()) return;
  ++spin_activity;
  stretch_now.word_count = 0;
}

}  // namespace

MachineState machine_at(const greg_t* from) {
  constexpr int kRegisters[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15};
  MachineState machine;
  for (int i = 0; i < 16; ++i) machine.registers[i] = static_cast<uint64_t>(from[kRegisters[i]]);
  machine.pc = static_cast<uint64_t>(from[REG_RIP]);
  asm("movq %%fs:0, %0" : "=r"(machine.thread_base));
  return machine;
}

void watch_stretch(PatchedFrame& frame) {
  if (segment().control.direct != 0) {  // a debugger goes by single instructions itself
    ++spin_activity;
    return;
  }
  Stretch& now = stretch_now;
  now.is_active = true;
  now.has_left = now.is_unclear = now.may_go_on = false;
  now.steps = now.line_count = now.word_count = 0;
  frame.flags |= kTrapFlag;
}

bool stretch_is_watched() { return stretch_now.is_active; }

void stretch_step(ucontext_t& interrupted) {
  Stretch& now = stretch_now;
  const MachineState machine = machine_at(interrupted.uc_mcontext.gregs);
  if (is_in_own_code(machine.pc)) {
    if (!now.has_left) return;
    if (machine.pc == reinterpret_cast<uint64_t>(&mazurka_patched_entry))
      return stop_stepping(interrupted);
    // What a call of ours does is seen there or not.
    now.may_go_on = machine.pc == reinterpret_cast<uint64_t>(&sched_yield);
    now.owner = state.current;
    now.activity = spin_activity;
    now.words_before = now.word_count;
    now.is_unclear = true;
    return stop_stepping(interrupted);
  }
  now.has_left = true;
  note_use(machine);
  if (++now.steps == kMostSteps) now.is_unclear = true;
  if (now.is_unclear) stop_stepping(interrupted);
}

bool go_on_with_stretch() {
  Stretch& now = stretch_now;
  constexpr uint64_t kOfCall = 1;
  if (!now.may_go_on) return false;
  now.may_go_on = false;
  if (now.owner != state.current || spin_activity != now.activity + kOfCall || !has_spin_trail())
    return false;
  spin_activity = now.activity;
  now.word_count = now.words_before;
  now.is_unclear = now.has_left = false;
  now.is_active = true;
  return true;
}

void give_up_stretch(ucontext_t& interrupted) {
  if (!stretch_now.is_active) return;
  stretch_now.is_unclear = true;
  stop_stepping(interrupted);
}

LookedAtWords take_looked_at_words() {
  const uint32_t count = stretch_now.word_count;
  stretch_now.word_count = 0;
  return {stretch_now.words, count};
}

}  // namespace mazurka
