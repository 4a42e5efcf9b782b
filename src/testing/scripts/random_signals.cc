#include "testing/scripts/random_signals.h"

#include <signal.h>

namespace mazurka {

void RandomSignals::signal_action(int signal) {
  constexpr uint8_t kFlags[] = {
      kHandles, kHandles, kHandles | kRestarts, kHandles | kNoDefer, kHandles | kResetsAction,
      kIgnores, 0};
  out_.operation({.kind = OpKind::SignalAction,
                  .flags = kFlags[out_.dice.below(7)],
                  .value = signal,
                  .desired = random_set()});
}

int RandomSignals::random_signal() {
  constexpr int kThese[] = {SIGUSR1, SIGUSR1, SIGUSR1, SIGUSR1, SIGTERM, SIGCHLD, 40};
  return kThese[out_.dice.below(7)];
}

int64_t RandomSignals::random_set() {
  return out_.dice.one_in(2)
             ? 0
             : static_cast<int64_t>(signal_bit(random_signal()) | signal_bit(random_signal()));
}

// To the first process, its first thread, a child, oneself, or all.
void RandomSignals::send_signal() {
  Operation op{.kind = OpKind::SignalSend,
               .target = kMainThread,
               .value = random_signal(),
               .desired = out_.dice.below(2)};
  const uint32_t chosen = out_.dice.below(8);
  if (chosen < 2) op.flags = kToThread;
  if (chosen == 2 || chosen == 3) op.target = kNoThread;
  if (chosen == 3) op.flags = kToThread;
  if (chosen == 4 && out_.dice.one_in(2)) op.flags = kToAll;
  out_.operation(op);
  if (chosen != 5 || out_.children_so_far.empty()) return;
  const uint32_t child = out_.dice.below(static_cast<uint32_t>(out_.children_so_far.size()));
  out_.body->back().child = child + 1;
  if (!out_.children_so_far[child].process) out_.body->back().op.flags = kToThread;
}

void RandomSignals::poll_with_mask() {
  const auto flags = static_cast<uint8_t>(out_.random_flags() | kOwnMask);
  out_.operation(
      {.kind = OpKind::Poll, .flags = flags, .deadline_ns = kDeadlineNs, .desired = random_set()});
  out_.maybe_branch(Instruction::Test::ErrorIsNot, 0);
}

void RandomSignals::signal_operation() {
  const uint32_t chosen = out_.dice.below(16);
  if (chosen < 6) return send_signal();
  if (chosen < 8) return signal_action(random_signal());
  if (chosen < 11) return out_.operation({.kind = OpKind::SignalMask, .value = random_set()});
  if (chosen == 11) return out_.operation({.kind = OpKind::SignalPause, .value = random_set()});
  if (chosen == 14) return poll_with_mask();
  if (chosen == 12) {
    out_.operation({.kind = OpKind::SignalLook});
    return out_.maybe_branch(Instruction::Test::ValueIs, 0);
  }
  if (chosen == 13) {
    const bool sets = out_.dice.one_in(2);
    if (!sets) return out_.operation({.kind = OpKind::SignalCancel, .value = SIGUSR1});
    return out_.operation({.kind = OpKind::SignalSend, .flags = kFromTimer, .value = SIGUSR1});
  }
  out_.operation({.kind = OpKind::SignalWait,
                  .flags = out_.random_flags(),
                  .value = random_set(),
                  .deadline_ns = kDeadlineNs});
  out_.maybe_branch(Instruction::Test::ErrorIsNot, 0);
}

}  // namespace mazurka
