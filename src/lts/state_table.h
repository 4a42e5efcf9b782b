// The states that a search has seen, each with the seven bits of figure 1: a slot of one word, with
// the bits on top of the state. A state in the table has at least one bit, so an empty slot is 0.
// Open addressing, and nothing else: a state costs 8 bytes over the load, and one cache miss.
#pragma once

#include <cstddef>

#include "lts/lts.h"
#include "lts/memory_budget.h"

namespace mazurka::lts {

class StateTable {
 public:
  explicit StateTable(MemoryBudget& budget);
  ~StateTable();
  StateTable(const StateTable&) = delete;
  StateTable& operator=(const StateTable&) = delete;

  void prefetch(State state) const { __builtin_prefetch(slots_ + home(state, capacity_)); }

  // The slot of the state, or nullptr.
  uint64_t* find(State state) {
    uint64_t* slot = probe(state);
    return *slot == 0 ? nullptr : slot;
  }

  // The slot of the state, which is added if it is new: then its bits are 0, and the caller must
  // set one before the next call. Good until the next call of this function. nullptr: no memory.
  uint64_t* find_or_add(State state, bool& is_new) {
    uint64_t* slot = probe(state);
    is_new = *slot == 0;
    if (!is_new) return slot;
    if (size_ >= most_) {
      if (!grow()) return nullptr;
      slot = probe(state);
    }
    ++size_;
    *slot = state;
    return slot;
  }

  size_t size() const { return size_; }
  size_t bytes() const { return capacity_ * sizeof(uint64_t); }

 private:
  static size_t home(State state, size_t capacity) {
    uint64_t hash = state * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
    hash *= 0xd6e8feb86659fd93u;
    return static_cast<size_t>((static_cast<unsigned __int128>(hash) * capacity) >> 64);
  }

  uint64_t* probe(State state) const {
    size_t slot = home(state, capacity_);
    while (slots_[slot] != 0 && (slots_[slot] & kStateMask) != state) {
      if (++slot == capacity_) slot = 0;
    }
    return slots_ + slot;
  }

  bool grow();

  MemoryBudget& budget_;
  uint64_t* slots_ = nullptr;
  size_t capacity_ = 0;
  size_t size_ = 0;
  size_t most_ = 0;  // grow beyond this size
};

}  // namespace mazurka::lts
