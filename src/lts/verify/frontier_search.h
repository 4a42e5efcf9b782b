// The second search of figure 1, checkForIllegalLivenessTraces with advanceFrontier, without
// recursion. Alone, it is Valmari's one-pass algorithm.
#pragma once

#include "lts/model/chunks.h"
#include "lts/verify/search_state.h"

namespace mazurka::lts {

enum class Form { OnePass, TwoPass, General };

// The successors of a place on the stack are all done.
inline constexpr uint32_t kNoneLeft = UINT32_MAX;

template <Lts L, Form kForm>
class FrontierSearch {
 public:
  FrontierSearch(L& lts, SearchState& search)
      : lts_(lts), search_(search), frontier_(search.budget), stack_(search.budget) {}

  // Searches from the state. `start` is on trace_prefix, but for the initial state's search.
  void run(State start, int level) {
    start_ = start;
    add(start, level);
    while (!frontier_.empty() && !search_.stop) advance_batch();
  }

 private:
  // States that are expanded before their successors are looked up, so that the table's cache
  // misses overlap.
  static constexpr size_t kBatch = 16;

  struct Expanded {
    int level;
    size_t end;  // of its successors in batch_
  };

  // Line 31: behind a step of the tester the search goes on in the last copy of the states.
  static int level_after(int level, bool testers) {
    return kForm == Form::General && testers ? 3 : level;
  }

  bool is_livelock(State state) const { return (search_.sets_of(state) & kLivelock) != 0; }

  // Lines 25-28 and what the special forms check. False if it was visited before.
  bool mark(uint64_t* slot, State state, int level) {
    if ((*slot & visited_bit(level)) != 0) return false;
    if (kForm == Form::General && level == 3 && (*slot & kTracePrefixBits) != 0) {
      search_.report(ViolationKind::IllegalInfiniteTrace, start_);
    }
    if (kForm == Form::OnePass && (search_.sets_of(state) & kReject) != 0) {
      search_.report(ViolationKind::IllegalFiniteTrace, state);
    }
    *slot |= visited_bit(level);
    search_.levels |= 1u << level;
    return true;
  }

  void expand(State state, Successors& successors) {
    const size_t begin = successors.size();
    if (!search_.expand(lts_, state, successors)) return;
    for (size_t i = begin; i < successors.size(); ++i) search_.table.prefetch(successors[i].state);
  }

  // The first time that a state is expanded at a level.
  void count(State state, size_t successors) {
    search_.steps += successors;
    if constexpr (kForm == Form::OnePass) {
      search_.transitions += successors;
      if (successors == 0 && (search_.sets_of(state) & kDeadlock) != 0 && !search_.stop) {
        search_.report(ViolationKind::IllegalStableFailure, state);
      }
    }
  }

  // Puts (state, level) into the frontier. It may be there already; only a state that no
  // depth-first search can enter is marked now, and so put there once: marking others would hide
  // loops.
  void add(State state, int level) {
    if (is_livelock(state)) {
      const uint64_t* slot = search_.table.find(state);
      if (slot != nullptr && (*slot & visited_bit(level)) != 0) return;
    } else {
      bool is_new = false;
      uint64_t* slot = search_.table.find_or_add(state, is_new);
      if (slot == nullptr) return search_.give_up(StopReason::Memory);
      if (!mark(slot, state, level)) return;
    }
    if (!frontier_.push(with_level(state, level))) search_.give_up(StopReason::Memory);
  }

  void advance_batch() {
    batch_.clear();
    size_t size = 0;
    while (size < kBatch && !frontier_.empty() && !search_.stop) {
      const uint64_t word = frontier_.pop_first();
      const State state = state_of(word);
      if (is_livelock(state)) {
        search_depth_first(word);
        continue;
      }
      const size_t begin = batch_.size();
      expand(state, batch_);
      count(state, batch_.size() - begin);
      expanded_[size++] = {level_of(word), batch_.size()};
    }
    size_t i = 0;
    for (size_t e = 0; e < size && !search_.stop; ++e) {
      for (; i < expanded_[e].end && !search_.stop; ++i) {
        check_loop(batch_[i].state);
        const bool testers = search_.is_testers(batch_[i].action);
        add(batch_[i].state, level_after(expanded_[e].level, testers));
      }
    }
  }

  // Two-pass form: whatever leads back to the top-level search's stack is a loop that is illegal.
  void check_loop(State state) {
    if constexpr (kForm == Form::TwoPass) {
      const uint64_t* slot = search_.table.find(state);
      if (slot != nullptr && (*slot & kTracePrefixBits) != 0) {
        search_.loop_witness = start_;
        search_.stop = true;
      }
    }
  }

  void search_depth_first(uint64_t root) {
    enter(root);
    while (!stack_.empty() && !search_.stop) {
      if (!descend(stack_.last())) leave();
    }
  }

  void enter(uint64_t word) {
    const State state = state_of(word);
    bool is_new = false;
    uint64_t* slot = search_.table.find_or_add(state, is_new);
    if (slot == nullptr) return search_.give_up(StopReason::Memory);
    if (!mark(slot, state, level_of(word))) return;
    *slot |= kDivergentPathBit;
    successors_.clear();
    expand(state, successors_);
    count(state, successors_.size());
    if (!stack_.push(Frame(word, 0))) search_.give_up(StopReason::Memory);
  }

  // Goes on with the successors of the place. True if it has entered one: `frame` is gone then.
  bool descend(Frame& frame) {
    const int level = level_of(frame.word());
    for (size_t i = frame.next; i < successors_.size() && !search_.stop; ++i) {
      const Successor next = successors_[i];
      check_loop(next.state);
      if (search_.is_testers(next.action)) {
        add(next.state, level_after(level, true));
        continue;
      }
      const uint64_t* slot = search_.table.find(next.state);
      if (slot != nullptr && (*slot & kDivergentPathBit) != 0) {
        search_.report(ViolationKind::IllegalDivergenceTrace, next.state);
      }
      if (slot != nullptr && (*slot & visited_bit(level)) != 0) continue;
      frame.next = i + 1 == successors_.size() ? kNoneLeft : static_cast<uint32_t>(i + 1);
      enter(with_level(next.state, level));
      return true;
    }
    return false;
  }

  void leave() {
    uint64_t* slot = search_.table.find(state_of(stack_.last().word()));
    *slot &= ~kDivergentPathBit;
    stack_.pop_last();
    successors_.clear();
    if (stack_.empty() || stack_.last().next == kNoneLeft) return;
    expand(state_of(stack_.last().word()), successors_);
  }

  L& lts_;
  SearchState& search_;
  State start_ = 0;
  Chunks<uint64_t> frontier_;  // (state, level); a queue, for short counterexamples
  Chunks<Frame> stack_;        // divergent_path
  Successors successors_;      // of the stack's last state
  Successors batch_;
  std::array<Expanded, kBatch> expanded_;
};

}  // namespace mazurka::lts
