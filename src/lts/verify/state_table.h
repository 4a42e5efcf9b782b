// The states that a search has seen, each with the seven bits of figure 1: a slot of one word, with
// the bits on top of the state. A state in the table has at least one bit, so an empty slot is 0.
//
// States are scrambled by a bijection, so that what is stored is its own hash; a state's home is
// proportional to it, and slots are kept in its order (linear probing in sorted order). A search
// for a state ends where a larger one stands, so the table may be nine tenths full: about 10 bytes
// a state, and mostly one cache miss.
#pragma once

#include <cstddef>

#include "lts/model/lts.h"
#include "lts/model/memory_budget.h"

namespace mazurka::lts {

class StateTable {
 public:
  explicit StateTable(MemoryBudget& budget);
  ~StateTable();
  StateTable(const StateTable&) = delete;
  StateTable& operator=(const StateTable&) = delete;

  void prefetch(State state) const { __builtin_prefetch(slots_ + home(scramble(state))); }

  // The slot of the state, or nullptr. Good until the next find_or_add. Only its bits may be
  // changed, and one must stay set.
  uint64_t* find(State state) {
    const uint64_t key = scramble(state);
    uint64_t* slot = probe(key);
    return (*slot & kStateMask) == key && *slot != 0 ? slot : nullptr;
  }

  // The slot of the state, which is added if it is new: then its bits are 0, and the caller must
  // set one before the next call. nullptr: no memory.
  uint64_t* find_or_add(State state, bool& is_new) {
    const uint64_t key = scramble(state);
    uint64_t* slot = probe(key);
    is_new = (*slot & kStateMask) != key || *slot == 0;
    return is_new ? add(key, slot) : slot;
  }

  size_t size() const { return size_; }
  size_t bytes() const { return slot_count() * sizeof(uint64_t); }

 private:
  // Behind the last home there is room for what is pushed beyond it.
  static constexpr size_t kOverflow = 512;

  static uint64_t scramble(State state) {
    uint64_t key = state ^ state >> 31;
    key = key * 0x9e3779b97f4a7c15u & kStateMask;
    key ^= key >> 29;
    return key * 0xd6e8feb86659fd93u & kStateMask;
  }

  size_t home(uint64_t key) const {
    return static_cast<size_t>((static_cast<unsigned __int128>(key) * homes_) >> kStateBits);
  }

  // Where the key is, or would be.
  uint64_t* probe(uint64_t key) const {
    uint64_t* slot = slots_ + home(key);
    while (*slot != 0 && (*slot & kStateMask) < key) ++slot;
    return slot;
  }

  size_t slot_count() const { return homes_ + kOverflow; }
  uint64_t* add(uint64_t key, uint64_t* slot);
  uint64_t* make_room(uint64_t* slot);
  bool grow();

  MemoryBudget& budget_;
  uint64_t* slots_ = nullptr;
  size_t homes_ = 0;
  size_t size_ = 0;
  size_t most_ = 0;  // grow beyond this size
};

}  // namespace mazurka::lts
