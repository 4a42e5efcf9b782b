// Data races on plain memory: FastTrack. For each word of 8 bytes a shadow cell knows the last
// write and the last read, and which of the bytes they were on; what does not fit (reads by several
// threads that are not ordered, accesses to different bytes of a word at different times, atomic
// ones) is in a list of old accesses. Nothing is forgotten that a later access could race with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/accesses/race_clocks.h"

namespace mazurka {

struct ShadowCell {
  Epoch write;        // kHasList: the accesses are in a list
  Epoch read;         // with a list: the last access, if it was a plain read
  uint64_t write_pc;  // with a list: what there is in it (race_shadow.cc)
  uint64_t read_pc;   // with a list: its first one
};
inline constexpr uintptr_t kWordBytes = 8;
inline constexpr uintptr_t kShadowScale = sizeof(ShadowCell) / kWordBytes;

// Cells are found by the upper part of the address: each 4 GB that are in use have their shadow in
// one piece.
inline constexpr int kPieceShift = 32;
inline constexpr uint32_t kPieces = 1u << (47 - kPieceShift);
struct ShadowPieces {
  uintptr_t base[kPieces];  // 0: none yet
  uint64_t count;
};
extern ShadowPieces* shadow_pieces;  // nullptr: memory is not seen in this process

// kVisible: with --memory=visible, an operation. Where conflicts are concerned it is atomic, too:
// it is interleaved. kEnds: the thread ends whose stack it is.
enum AccessFlag : uint32_t {
  kReads = 0,
  kWrites = 1,
  kAtomic = 2,
  kFrees = 4,
  kVisible = 8,
  kEnds = 16
};

// The part of an access that is not in the same epoch as one before it. `bytes`: of the word, as a
// mask.
void check_word(uintptr_t word, uint64_t bytes, uint32_t flags, uint64_t pc);
// Any bytes.
void check_range(uintptr_t address, size_t size, uint32_t flags, uint64_t pc);

// A plain access of `size` bytes (1, 2, 4 or 8): most are not the first of their thread in its
// epoch.
template <uint32_t size, uint32_t flags>
inline void check_access(uintptr_t address, uint64_t pc) {
  const uintptr_t offset = address % kWordBytes;
  if (__builtin_expect(shadow_pieces == nullptr || offset + size > kWordBytes, 0))
    return check_range(address, size, flags, pc);
  const uint64_t bytes = ((uint64_t{1} << size) - 1) << offset;
  const uintptr_t base = shadow_pieces->base[(address >> kPieceShift) % kPieces];
  if (__builtin_expect(base != 0, 1)) {
    const uintptr_t place =
        (address & ((uintptr_t{1} << kPieceShift) - 1) & ~(kWordBytes - 1)) * kShadowScale;
    const auto* const cell = reinterpret_cast<const ShadowCell*>(base + place);
    const Epoch now = current_epoch | bytes;
    if (__builtin_expect(cell->write == now, 1)) return;
    if (flags == kReads && __builtin_expect(cell->read == now, 1)) return;
  }
  check_word(address - offset, bytes, flags, pc);
}

// The program frees the block: as if it wrote it all. What the C and C++ libraries free for
// themselves they order themselves, in ways that we do not see.
void check_free(void* block, const void* caller);
// The program allocates it: as if it wrote it all, too. Who comes to know of the block by way of
// something that orders nothing has a race with that, also where nobody wrote it yet (calloc).
void check_allocation(void* block, const void* caller);

// This process has an instrumented module.
void map_shadow();
void clear_shadow();
// The memory is new: what was known about this place is not about it.
void forget_accesses(uintptr_t address, size_t size);
// It is shared between processes, who know it as this part of this identity.
void share_shadow(uintptr_t address, size_t size, uint64_t identity, uint64_t offset);
// In the child after fork: private memory is its own now, and nobody else has been there.
void begin_shadow_of_child();

// For executions that begin later (seen_memory.h): from now on it is noted which cells are used.
// What a thread does before it creates another happens before all that follows, and is not.
void note_cells();
// What is in them now. False: too much.
bool save_cells();
void restore_cells();

}  // namespace mazurka
