// The model of signals: what is pending, who blocks what, what each process does with which. A
// signal that a thread may take is one more outcome of whatever operation it stands before; so a
// blocked thread can go on by it, and the search decides before which operation it is taken. What
// the handler does are the thread's own operations then.
//
// All of it changes by operations alone (signals sent and taken, masks and actions set, ends of
// processes): there are no invisible changes, so the searches can replay it. Dependency:
// docs/dependency.md.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

inline constexpr int kLastSignal = 64;
inline constexpr uint32_t kMaxPendingSignals = 1024;
inline constexpr uint32_t kMaxSignalTables = 1025;  // one of each process, and one that stays empty

// Flags of SignalSend.
inline constexpr uint8_t kFromTimer = kTimed;  // nobody knows when: never taken at once
inline constexpr uint8_t kToThread = 4;  // `target` is a thread, not the first one of a process
inline constexpr uint8_t kToAll = 8;     // to every process of the program
inline constexpr uint8_t kQueued = 16;   // sigqueue

// Flags of SignalAction; none of the first two: the default action.
inline constexpr uint8_t kHandles = 1;
inline constexpr uint8_t kIgnores = 2;
inline constexpr uint8_t kRestarts = 4;       // SA_RESTART
inline constexpr uint8_t kNoDefer = 8;        // SA_NODEFER
inline constexpr uint8_t kResetsAction = 16;  // SA_RESETHAND

// Outcomes of operations at which a signal is taken; the rest of the bits is its number.
inline constexpr Outcome kTakesFirst =
    0x4000;  // before the operation, which the thread comes to again then
inline constexpr Outcome kTakesThen =
    0x5000;  // within it: a wait fails with EINTR; a signal to oneself, or a mask, is done
constexpr int signal_of(Outcome outcome) { return outcome & 0x7f; }
// A toss may have as many results as there are numbers: it takes no signals then.
constexpr bool is_delivery(const Operation& op, Outcome outcome) {
  const bool in_range = (outcome & 0xef80) == kTakesFirst;
  return in_range && (op.kind != OpKind::Toss || op.value < kTakesFirst);
}

// Of Effect::value, where the signal that was taken has ended the process.
inline constexpr int64_t kEndedProcess = 1;
constexpr bool ended_by_signal(const Operation& op, Outcome outcome, const Effect& effect) {
  return is_delivery(op, outcome) && effect.value == kEndedProcess;
}
// Of Effect::error, where a signal is taken before the operation.
inline constexpr int kOnceMore = 85;  // ERESTART

struct PendingSignal {
  ProcessId process = kNoProcess;
  ThreadId thread = kNoThread;  // kNoThread: for any thread of the process
  ThreadId sender = kNoThread;
  uint8_t signal = 0;
  uint8_t flags = 0;  // of SignalSend
  int64_t value = 0;
  int64_t time_ns = 0;  // of the sender
};
static_assert(std::is_trivially_copyable_v<PendingSignal>);

// What a process does with signals; sets of signals have bit n-1 for n. The default for all that is
// not in the first two.
struct SignalTable {
  uint64_t handled = 0;
  uint64_t ignored = 0;
  uint64_t restarts = 0;
  uint64_t no_defer = 0;
  uint64_t resets = 0;
  uint64_t masks[kLastSignal] = {};
};

constexpr uint64_t signal_bit(int signal) { return uint64_t{1} << (signal - 1); }
constexpr bool is_signal_operation(OpKind kind) {
  return kind >= OpKind::SignalSend && kind <= OpKind::SignalCancel;
}

// For ways to deal with what a process has not set: whether a signal ends it. Stopping is not
// modelled: they do nothing.
bool ends_by_default(int signal);

const SignalTable& signal_table(const World& world, ProcessId process);
// What the thread could take now if it blocked just `blocked`: handled ones, and those that end its
// process.
uint64_t deliverable(const World& world, ThreadId thread, uint64_t blocked);
// Whether the end of one of its children is a signal that somebody can notice.
bool wants_child_signal(const World& world, ProcessId parent);

// The outcomes of any operation, `plain` being those without signals; `blocks`: the operation would
// wait now.
Outcomes with_deliveries(const World& world, ThreadId thread, const Operation& op,
                         const Outcomes& plain, bool blocks);
// Whether it waits with another mask than its thread's, and which.
constexpr bool has_own_mask(const Operation& op) {
  return op.kind == OpKind::SignalPause || (op.kind == OpKind::Poll && (op.flags & kOwnMask) != 0);
}
constexpr uint64_t own_mask(const Operation& op) {
  return static_cast<uint64_t>(op.kind == OpKind::SignalPause ? op.value : op.desired);
}
// Whether a signal that is taken while it waits can make it fail with EINTR.
bool is_interruptible(const Operation& op);
// Requires a delivery. In the effect: `signal`; `error` kOnceMore, EINTR, or 0 if the operation was
// done.
Effect take_signal(World& world, ThreadId thread, const Operation& op, Outcome outcome);

// A new thread has its creator's mask, a new process also the actions.
void inherit_signals(World& world, ThreadId creator, ThreadId created);
void forget_signals_of_thread(World& world, ThreadId thread);
void forget_signals_of_process(World& world, ProcessId process);
void reset_actions_for_exec(World& world, ProcessId process);
// The process has ended: its parent's SIGCHLD.
void tell_parent(World& world, ProcessId ended);

namespace on_signals {

// The plain outcomes; deliveries are added below.
EnabledFunction wait_enabled, pause_enabled;
ApplyFunction send, set_action, set_mask, look, pause, wait, cancel;
AccessFunction send_accesses, action_accesses, mask_accesses, process_accesses;
// Whether it may bring a signal to somebody, now or later.
bool send_brings(const Operation& op);
bool action_brings(const Operation& op);
bool mask_brings(const Operation& op);

}  // namespace on_signals

}  // namespace mazurka
