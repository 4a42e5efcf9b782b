// Locked instructions in code that was not built to tell us its atomics: where they are, and what
// they do. The tool finds them in the file of each module that a process loads
// (program/binary/atomic_sites.h); the runtime, which asks for that by Control::wanted_scan,
// replaces them (runtime/patches/).
#pragma once

#include <cstdint>

#include "protocol/layout.h"

namespace mazurka {

inline constexpr uint32_t kMaxScannedModules = 256;
inline constexpr uint32_t kMaxPatchSites = 1u << 17;

enum class AtomicForm : uint8_t {
  Exchange,
  ExchangeAdd,
  CompareExchange,
  CompareExchangePair,  // cmpxchg8b and cmpxchg16b
  Add,
  AddWithCarry,
  Subtract,
  SubtractWithBorrow,
  And,
  Or,
  Xor,
  Increment,
  Decrement,
  Negate,
  Not,
  SetBit,
  ResetBit,
  ComplementBit,
  // No locked instruction, but one in a loop that waits for others by plain loads: such loops are
  // learned while the program runs (LoopPlaces). It is done where it was moved to.
  Loop,
  // Plain accesses to words that locked instructions use, learned as well (AccessWatch). They are
  // done where they were moved to.
  Load,
  Store,       // of what the site says
  OtherStore,  // of something else
  LoadStore,   // first the one, then the other
};
inline bool is_plain_access(AtomicForm form) { return form > AtomicForm::Loop; }
// What is done where it was moved to, by the thread itself.
inline bool is_moved(AtomicForm form) { return form >= AtomicForm::Loop; }

// Registers are numbered as the processor does: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15.
inline constexpr uint8_t kStackPointer = 4;
inline constexpr uint8_t kHighByte = 16;  // 16 to 19: ah, ch, dh, bh
inline constexpr uint8_t kInstructionPointer = 20;
inline constexpr uint8_t kNoMachineRegister = 0xff;

enum class SegmentBase : uint8_t { None, Fs, Gs };

// The bytes from `address` on, `span` of them, can be replaced by a jump: nobody jumps to any but
// the first, and what is moved along does the same elsewhere, once the references that it makes
// relative to itself are adjusted. A span of 0: only the first byte can be replaced, by a trap.
struct PatchSite {
  uint64_t address;  // as in the file
  int32_t displacement;
  int32_t immediate;
  int32_t branch_target;  // of a branch that ends the span, counted from `address`
  AtomicForm form;
  uint8_t size;    // of the operand in memory, in bytes
  uint8_t length;  // of the instruction
  uint8_t span;
  uint8_t base;
  uint8_t index;
  uint8_t scale;
  SegmentBase segment;
  uint8_t source;         // a register, or none: `immediate`
  uint8_t branch;         // how the span ends: 0x70 to 0x7f, a conditional branch by its short
                          // opcode; 0xeb, a jump; 0: neither
  uint8_t branch_length;  // of that instruction
  uint8_t uses_red_zone;  // the function may keep something below the stack pointer
  uint8_t references[2];  // places in the span of displacements that count from the end of their
  uint8_t reference_ends[2];   // instruction, and that end; 0: none
  uint16_t dead_registers;     // bit n: nobody looks at what is in the n-th before it is written
  uint16_t dead_flags;         // the same, as they lie in the register of flags
  uint8_t is_looked_at_again;  // a plain access in a loop that waits, learned as well
  uint8_t padding[7];
};
static_assert(is_laid_out<PatchSite, 48>);

// Names of what is unmodelled (kept_records.h) that are sentences of their own in reports.
inline constexpr char kUnseenStore[] = "plain stores into words that locked instructions use";
inline constexpr char kUnseenAccess[] = "plain accesses to words that locked instructions use";
inline constexpr char kManyWords[] = "plain accesses to more words than can be watched";
inline constexpr char kPlainLoop[] = "plain loads in a loop that waits for other threads";
inline constexpr char kUnsureInstructions[] = "what may be locked instructions, or data";
inline constexpr char kReplacedLate[] =
    "locked instructions of a library that was loaded while threads ran";
inline constexpr char kNotReplaced[] = "locked instructions that could not be replaced";

// Instructions of a loop that goes round without changing what its thread knows: the runtime tells
// the tool (Ending::NeedsLoop), which chooses one of them to be replaced from then on.
struct LoopPlaces {
  uint32_t count;
  uint32_t padding;
  uint64_t places[16];  // in the memory of the process that loops
};
static_assert(is_laid_out<LoopPlaces, 136>);

struct ScannedModule {
  uint32_t path;  // kept text
  uint32_t begin;
  uint32_t count;
  uint32_t unsure_count;  // places that look like locked instructions, but may be data
  uint64_t unsure;        // the first of them, as in the file
  uint32_t watch_begin;   // of AccessWatch::places, by address
  uint32_t watch_count;
};
static_assert(is_laid_out<ScannedModule, 32>);

// --- plain accesses to words that locked instructions use

inline constexpr uint32_t kMaxWatchPlaces = 1u << 19;
inline constexpr uint32_t kMaxLockedWords = 1u << 15;
inline constexpr uint32_t kMaxAccessLooks = 1u << 18;
inline constexpr uint32_t kMaxLearnedAccesses = 256;

// Control::watches.
enum class Watches : uint8_t { Off, Armed, ToBeArmed };

// An instruction that reads or writes memory and can be done elsewhere.
struct WatchPlace {
  uint32_t address;   // as in the file
  uint8_t length;     // of the instruction
  uint8_t reference;  // the place in it of a displacement that counts from its end; 0: none
  uint8_t padding[2];
};
static_assert(is_laid_out<WatchPlace, 8>);

// A word of 8 bytes of which locked instructions have used some.
struct LockedWord {
  uint64_t key;  // of its memory; 0: none
  uint8_t bytes;
  uint8_t padding[7];
};
static_assert(is_laid_out<LockedWord, 16>);

struct AccessLook {
  uint64_t key;    // of the word; 0: none
  uint32_t place;  // who used it, in AccessWatch::places
  uint8_t bytes;
  uint8_t padding[3];
};
static_assert(is_laid_out<AccessLook, 16>);

struct LearnedAccess {
  uint64_t address;    // in the memory of the process
  uint8_t is_in_loop;  // it is known as an access, and comes round in a loop that waits
  uint8_t padding[7];
};
static_assert(is_laid_out<LearnedAccess, 16>);

// A trap stands at each such instruction the first times that it is come to (runtime/patches/
// access_watch.h), in this instance of the program. What it accessed is kept, for all executions.
struct AccessWatch {
  uint32_t place_count;
  uint32_t word_count;
  uint32_t look_count;
  uint32_t learned_count;
  WatchPlace places[kMaxWatchPlaces];
  uint16_t states[kMaxWatchPlaces];
  LockedWord words[kMaxLockedWords];
  AccessLook looks[kMaxAccessLooks];
  LearnedAccess learned[kMaxLearnedAccesses];
};
static_assert(is_laid_out<AccessWatch, 16 + 10 * kMaxWatchPlaces + 16 * kMaxLockedWords +
                                           16 * kMaxAccessLooks + 16 * kMaxLearnedAccesses>);

}  // namespace mazurka
