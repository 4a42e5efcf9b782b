#include "lts/state_table.h"

#include <sys/mman.h>

#include "base/check.h"

namespace mazurka::lts {
namespace {

constexpr size_t kFirstCapacity = 1024;
constexpr size_t kHugePage = size_t{2} << 20;
// While the table moves, the old one is given back to the system in pieces of this size.
constexpr size_t kPieceSlots = (size_t{1} << 20) / sizeof(uint64_t);

// Zeroed by the system, page by page as it is used.
uint64_t* map_slots(size_t capacity) {
  const size_t bytes = capacity * sizeof(uint64_t);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  // Slots are used all over the table, so that most accesses would miss small pages' translations.
  if (bytes >= 4 * kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<uint64_t*>(memory);
}

size_t most_for(size_t capacity) { return capacity / 4 * 3; }

}  // namespace

StateTable::StateTable(MemoryBudget& budget)
    : budget_(budget), slots_(map_slots(kFirstCapacity)), capacity_(kFirstCapacity) {
  MAZURKA_CHECK(slots_ != nullptr);
  // The first slots are few; a budget that cannot hold even them ends the search at the first
  // growth.
  most_ = most_for(capacity_);
  if (!budget_.take(bytes())) most_ = 0;
}

StateTable::~StateTable() { munmap(slots_, bytes()); }

bool StateTable::grow() {
  // Small tables double, large ones grow by half, so that at least half of the slots are in use.
  const size_t capacity = capacity_ < kPieceSlots ? 2 * capacity_ : capacity_ + capacity_ / 2;
  if (most_ == 0 || !budget_.take((capacity - capacity_) * sizeof(uint64_t))) return false;
  uint64_t* const old = slots_;
  const size_t old_capacity = capacity_;
  uint64_t* const slots = map_slots(capacity);
  if (slots == nullptr) return false;
  slots_ = slots;
  capacity_ = capacity;
  most_ = most_for(capacity);
  // A home is monotonous in the hash, so both tables are walked from front to back, and what has
  // been read can go back to the system: the peak is the new table, not both.
  for (size_t i = 0; i < old_capacity; ++i) {
    if (old[i] != 0) *probe(old[i] & kStateMask) = old[i];
    if ((i + 1) % kPieceSlots == 0) {
      madvise(old + i + 1 - kPieceSlots, kPieceSlots * sizeof(uint64_t), MADV_DONTNEED);
    }
  }
  munmap(old, old_capacity * sizeof(uint64_t));
  return true;
}

}  // namespace mazurka::lts
