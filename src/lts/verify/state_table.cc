#include "lts/verify/state_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "base/out_of_memory.h"

namespace mazurka::lts {
namespace {

constexpr size_t kFirstHomes = 512;
constexpr size_t kHugePage = size_t{2} << 20;
// While the table moves, the old one is given back to the system in pieces of this size.
constexpr size_t kPieceSlots = (size_t{1} << 20) / sizeof(uint64_t);

// Zeroed by the system, page by page as it is used.
uint64_t* map_slots(size_t count) {
  const size_t bytes = count * sizeof(uint64_t);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  // Slots are used all over the table, so that most accesses would miss small pages' translations.
  if (bytes >= 4 * kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<uint64_t*>(memory);
}

size_t most_for(size_t homes) { return homes - homes / 10; }

}  // namespace

StateTable::StateTable(MemoryBudget& budget)
    : budget_(budget), slots_(map_slots(kFirstHomes + kOverflow)), homes_(kFirstHomes) {
  if (slots_ == nullptr) out_of_memory();
  // A budget that cannot hold even the first slots ends the search at the first state.
  if (budget_.take(bytes())) most_ = most_for(homes_);
}

StateTable::~StateTable() { munmap(slots_, bytes()); }

uint64_t* StateTable::add(uint64_t key, uint64_t* slot) {
  if (size_ >= most_) {
    if (!grow()) return nullptr;
    slot = probe(key);
  }
  while (make_room(slot) == nullptr) {
    if (!grow()) return nullptr;
    slot = probe(key);
  }
  ++size_;
  *slot = key;
  return slot;
}

// Pushes the slots from here to the next empty one up by one. nullptr if there is no empty one
// left.
uint64_t* StateTable::make_room(uint64_t* slot) {
  uint64_t* empty = slot;
  uint64_t* const last = slots_ + slot_count() - 1;  // stays empty, so that every probe ends
  while (*empty != 0) ++empty;
  if (empty >= last) return nullptr;
  std::memmove(slot + 1, slot, static_cast<size_t>(empty - slot) * sizeof(uint64_t));
  return slot;
}

bool StateTable::grow() {
  // Small tables double, large ones grow by a fifth, so that most slots are in use.
  const size_t homes = homes_ < kPieceSlots ? 2 * homes_ : homes_ + homes_ / 5;
  if (most_ == 0 || !budget_.take((homes - homes_) * sizeof(uint64_t))) return false;
  uint64_t* const slots = map_slots(homes + kOverflow);
  if (slots == nullptr) return false;
  uint64_t* const old = slots_;
  const size_t old_count = slot_count();
  slots_ = slots;
  homes_ = homes;
  most_ = most_for(homes);
  // Both tables are in the same order, so they are walked from front to back, and what has been
  // read can go back to the system: the peak is the new table, not both.
  uint64_t* next = slots;
  for (size_t i = 0; i < old_count; ++i) {
    if (old[i] != 0) {
      next = std::max(next, slots + home(old[i] & kStateMask));
      *next++ = old[i];
    }
    if ((i + 1) % kPieceSlots == 0) {
      madvise(old + i + 1 - kPieceSlots, kPieceSlots * sizeof(uint64_t), MADV_DONTNEED);
    }
  }
  MAZURKA_CHECK(next < slots + slot_count());
  munmap(old, old_count * sizeof(uint64_t));
  return true;
}

}  // namespace mazurka::lts
