// What the searches of figure 1 share: the table of states with its bits, the classes of tester
// states and actions, and what they have found.
#pragma once

#include <array>
#include <csignal>
#include <optional>
#include <vector>

#include "lts/model/tester.h"
#include "lts/verify/state_table.h"
#include "lts/verify/verify.h"

namespace mazurka::lts {

// The seven bits of a state, above the state in its slot.
constexpr uint64_t visited_bit(int level) { return uint64_t{1} << (kStateBits + level); }
constexpr uint64_t trace_prefix_bit(int level) { return uint64_t{1} << (kStateBits + 4 + level); }
inline constexpr uint64_t kTracePrefixBits = trace_prefix_bit(0) | trace_prefix_bit(1);
inline constexpr uint64_t kDivergentPathBit = uint64_t{1} << (kStateBits + 6);
static_assert(kDivergentPathBit == uint64_t{1} << 63);

// A state and its level, for stacks and frontiers. The level takes the place of the bits.
constexpr uint64_t with_level(State state, int level) {
  return state | static_cast<uint64_t>(level) << kStateBits;
}
constexpr State state_of(uint64_t word) { return word & kStateMask; }
constexpr int level_of(uint64_t word) { return static_cast<int>(word >> kStateBits); }

// A place on a depth-first stack: the successors before `next` are done. The successors themselves
// are computed again when the search comes back, because stacks get as deep as there are states.
struct Frame {
  uint32_t low;
  uint32_t high;
  uint32_t next;

  Frame() = default;
  Frame(uint64_t word, uint32_t next_successor)
      : low(static_cast<uint32_t>(word)),
        high(static_cast<uint32_t>(word >> 32)),
        next(next_successor) {}
  uint64_t word() const { return static_cast<uint64_t>(high) << 32 | low; }
};
static_assert(sizeof(Frame) == 12);

struct SearchState {
  SearchState(const Tester& tester, size_t action_count, const VerifyOptions& options)
      : budget(options.memory_limit),
        table(budget),
        sets(tester.sets),
        moves_tester(action_count, false),
        all(options.all),
        interrupted(options.interrupted) {
    for (const ActionId action : tester.visible) moves_tester[index(action)] = true;
    moves_tester[index(kTauT)] = true;
    const uint64_t last = sets.size() - 1;
    while (tester_mask < last) tester_mask = tester_mask << 1 | 1;
  }

  uint8_t sets_of(State state) const { return sets[state & tester_mask]; }
  // Whether the action is in Sigma_vis or tau_T.
  bool is_testers(ActionId action) const { return moves_tester[index(action)] != 0; }

  // Only the first of each kind is kept. Without --all, the search then ends.
  void report(ViolationKind kind, State witness) {
    std::optional<State>& first = witnesses[static_cast<size_t>(kind)];
    if (!first) first = witness;
    if (!all) stop = true;
  }
  void give_up(StopReason why) {
    stopped = why;
    stop = true;
  }

  // Adds the successors of the state; false if the search has to end.
  template <Lts L>
  bool expand(L& lts, State state, Successors& successors) {
    if (!lts.next(state, successors) || lts.bytes() > budget.left()) {
      give_up(StopReason::Memory);
      return false;
    }
    if (interrupted != nullptr && *interrupted != 0) {
      give_up(StopReason::Interrupted);
      return false;
    }
    return true;
  }

  MemoryBudget budget;
  StateTable table;
  std::vector<uint8_t> sets;
  std::vector<uint8_t> moves_tester;
  uint64_t tester_mask = 0;
  bool all;

  const volatile std::sig_atomic_t* interrupted;

  bool stop = false;
  StopReason stopped = StopReason::None;
  // The second search of the two-pass form cannot tell which kind a loop is; the counterexample
  // does.
  std::optional<State> loop_witness;
  std::array<std::optional<State>, kViolationKinds> witnesses;
  uint64_t transitions = 0;  // of the states in the table
  uint64_t steps = 0;        // transitions followed, in all passes
  unsigned levels = 0;       // bit l: something was visited at level l
};

}  // namespace mazurka::lts
