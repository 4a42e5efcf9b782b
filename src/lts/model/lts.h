// What a labelled transition system is to the algorithms: an initial state, and the transitions of
// a state. Definition 1 of T. Latvala, H. Tauriainen, "Improved On-the-Fly Verification with
// Testers", whose words we use throughout this folder.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>

#include "lts/model/action.h"

namespace mazurka::lts {

// A global state in one word. It leaves room for the seven bits that the algorithm of figure 1
// keeps with each state, so that a state and its bits are one slot of the state table.
using State = uint64_t;
inline constexpr int kStateBits = 57;
inline constexpr State kStateMask = (State{1} << kStateBits) - 1;

struct Successor {
  State state;
  ActionId action;
};

// Where next() puts its answer; kept by the caller, so that the hot path does not allocate.
class Successors {
 public:
  void clear() { size_ = 0; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void truncate(size_t size) { size_ = size; }
  void append(State state, ActionId action) {
    if (size_ == capacity_) grow();
    items_[size_++] = {state, action};
  }
  Successor& operator[](size_t i) { return items_[i]; }
  const Successor& operator[](size_t i) const { return items_[i]; }
  const Successor* begin() const { return items_.get(); }
  const Successor* end() const { return items_.get() + size_; }

 private:
  void grow() {
    const size_t capacity = capacity_ == 0 ? 64 : 2 * capacity_;
    auto items = std::make_unique<Successor[]>(capacity);
    if (size_ > 0) std::memcpy(items.get(), items_.get(), size_ * sizeof(Successor));
    items_ = std::move(items);
    capacity_ = capacity;
  }

  std::unique_ptr<Successor[]> items_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// The searches are templates over this, so that no transition costs a virtual call. `next` appends
// the successors of a state; false means that there was no memory for them.
template <typename T>
concept Lts = requires(T& lts, State state, Successors& successors) {
  { lts.initial() } -> std::convertible_to<State>;
  { lts.next(state, successors) } -> std::convertible_to<bool>;
};

}  // namespace mazurka::lts
