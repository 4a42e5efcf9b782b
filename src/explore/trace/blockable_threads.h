// Which threads of an execution stand, somewhere in it, before an operation that a change of a
// resource may disable: so that the reverse search need not ask every thread for every event.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "explore/trace/operation_masks.h"

namespace mazurka {

// Sets of slots: 64 in a word.
using SlotSet = std::vector<uint64_t>;

inline void add_slot(SlotSet& set, uint32_t slot) { set[slot / 64] |= uint64_t{1} << slot % 64; }
inline bool has_slot(const SlotSet& set, uint32_t slot) {
  return (set[slot / 64] >> slot % 64 & 1) != 0;
}
template <typename F>
void each_slot(const SlotSet& set, F&& f) {
  for (size_t word = 0; word < set.size(); ++word) {
    for (uint64_t left = set[word]; left != 0; left &= left - 1) {
      f(static_cast<uint32_t>(word * 64 + static_cast<uint32_t>(std::countr_zero(left))));
    }
  }
}

// To an empty one of so many words: mostly of one.
inline void clear_slots(SlotSet& set, uint32_t words) {
  if (words == 1 && set.size() == 1) {
    set[0] = 0;
  } else {
    set.assign(words, 0);
  }
}

class BlockableThreads {
 public:
  void read(const HappensBefore& order, const OperationMasks& masks) {
    words_ = (order.thread_count() + 63) / 64;
    threads_.assign(size_t{words_} * kRows, 0);
    used_ = 0;
    has_any_ = false;
    for (uint32_t i = 0; i < order.size(); ++i) add_all(masks.disabling_event(i), order.slot(i));
    for (uint32_t slot = 0; slot < order.thread_count(); ++slot)
      add_all(masks.disabling_pending(slot), slot);
  }

  uint32_t words() const { return words_; }

  // Whether there are any whom changes of these resources may disable.
  bool has_any(uint64_t changes) const { return has_any_ || (changes & used_) != 0; }
  // Adds those whom changes of these resources (bits of an AccessMask) may disable.
  void add_to(SlotSet& set, uint64_t changes) const {
    if (has_any_) join(set, kAny);
    for (uint64_t left = changes & used_; left != 0; left &= left - 1) {
      join(set, static_cast<uint32_t>(std::countr_zero(left)));
    }
  }

 private:
  static constexpr uint32_t kAny = 64;  // the row of those that anything may disable
  static constexpr uint32_t kRows = 65;

  void add_all(uint64_t bits, uint32_t slot) {
    if (bits == UINT64_MAX) {
      add(kAny, slot);
      has_any_ = true;
      return;
    }
    used_ |= bits;
    for (; bits != 0; bits &= bits - 1) add(static_cast<uint32_t>(std::countr_zero(bits)), slot);
  }
  void add(uint32_t row, uint32_t slot) {
    threads_[size_t{row} * words_ + slot / 64] |= uint64_t{1} << slot % 64;
  }
  void join(SlotSet& set, uint32_t row) const {
    for (uint32_t i = 0; i < words_; ++i) set[i] |= threads_[size_t{row} * words_ + i];
  }

  uint32_t words_ = 0;
  uint64_t used_ = 0;  // rows that are not empty
  bool has_any_ = false;
  std::vector<uint64_t> threads_;
};

}  // namespace mazurka
