// The top-level search of figure 1, checkForIllegalTraces, without recursion. The two-pass form is
// the same without unfolding the states into two levels.
#pragma once

#include "lts/verify/frontier_search.h"

namespace mazurka::lts {

template <Lts L, Form kForm>
class TopLevelSearch {
  static_assert(kForm != Form::OnePass);

 public:
  TopLevelSearch(L& lts, SearchState& search)
      : lts_(lts), search_(search), stack_(search.budget), second_(lts, search) {}

  // The extended composition's initial state s0+ is not stored: nothing leads to it, its one step
  // is tau_T to the initial state, and the second search that starts from it is the last.
  void run() {
    enter(with_level(lts_.initial(), 0));
    while (!stack_.empty() && !search_.stop) {
      if (!descend(stack_.last())) leave();
    }
    if (!search_.stop) second_.run(lts_.initial(), kForm == Form::General ? 3 : 2);
  }

 private:
  bool is_infinite(State state) const { return (search_.sets_of(state) & kInfinite) != 0; }

  // Lines 8 and 9.
  int level_after(int level, State state, ActionId action) const {
    if (kForm == Form::TwoPass) return level;
    const bool changes = level == 0 ? is_infinite(state) : search_.is_testers(action);
    return changes ? 1 - level : level;
  }

  void enter(uint64_t word) {
    const State state = state_of(word);
    const int level = level_of(word);
    bool is_new = false;
    uint64_t* slot = search_.table.find_or_add(state, is_new);
    if (slot == nullptr) return search_.give_up(StopReason::Memory);
    // Not `is_new`: a second search may have been here before, over a state that is still on the
    // stack.
    const bool is_first = (*slot & (visited_bit(0) | visited_bit(1))) == 0;
    *slot |= visited_bit(level) | trace_prefix_bit(level);
    search_.levels |= 1u << level;
    expand(state);
    if (search_.stop) return;
    search_.steps += successors_.size();
    if (is_first) search_.transitions += successors_.size();
    check(state);
    if (!stack_.push(Frame(word, 0))) search_.give_up(StopReason::Memory);
  }

  // Lines 3 and 4.
  void check(State state) {
    const uint8_t sets = search_.sets_of(state);
    if ((sets & kReject) != 0) search_.report(ViolationKind::IllegalFiniteTrace, state);
    if ((sets & kDeadlock) != 0 && successors_.empty()) {
      search_.report(ViolationKind::IllegalStableFailure, state);
    }
  }

  void expand(State state) {
    successors_.clear();
    if (!search_.expand(lts_, state, successors_)) return;
    for (const Successor& next : successors_) search_.table.prefetch(next.state);
  }

  bool descend(Frame& frame) {
    const State state = state_of(frame.word());
    const int level = level_of(frame.word());
    for (size_t i = frame.next; i < successors_.size(); ++i) {
      const Successor next = successors_[i];
      const int next_level = level_after(level, state, next.action);
      const uint64_t* slot = search_.table.find(next.state);
      if (slot != nullptr && (*slot & visited_bit(next_level)) != 0) continue;
      frame.next = i + 1 == successors_.size() ? kNoneLeft : static_cast<uint32_t>(i + 1);
      enter(with_level(next.state, next_level));
      return true;
    }
    return false;
  }

  // Lines 12 and 13.
  void leave() {
    const uint64_t word = stack_.last().word();
    const State state = state_of(word);
    if (level_of(word) == 0 && is_infinite(state)) second_.run(state, 2);
    if (search_.stop) return;
    *search_.table.find(state) &= ~trace_prefix_bit(level_of(word));
    stack_.pop_last();
    successors_.clear();
    if (!stack_.empty() && stack_.last().next != kNoneLeft) {
      expand(state_of(stack_.last().word()));
    }
  }

  L& lts_;
  SearchState& search_;
  Chunks<Frame> stack_;    // trace_prefix
  Successors successors_;  // of the stack's last state
  FrontierSearch<L, kForm> second_;
};

}  // namespace mazurka::lts
