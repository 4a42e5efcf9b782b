// Which signals a thread may take at an operation, and what happens then.
#include <errno.h>

#include "kinds/signals/signal_parts.h"
#include "objects/op_table.h"
#include "objects/world.h"

namespace mazurka {
namespace {

// A toss may have as many results as there are numbers: it takes no signals then.
bool takes_signals(const Operation& op) {
  return row_of(op.kind).takes_signals && (op.kind != OpKind::Toss || op.value < kTakesFirst);
}

bool is_restartable(const Operation& op) {
  const bool is_timed = (op.flags & kTimed) != 0;
  switch (row_of(op.kind).interrupted) {
    case Interrupted::Undecided:
    case Interrupted::No:
    case Interrupted::Fails:
      return false;
    case Interrupted::Restarts:
      return true;
    case Interrupted::RestartsUntimed:
      return !is_timed;
    case Interrupted::RestartsOnDescription:
      return op.second != kNoObject && !is_timed;
  }
  return false;
}

// Whether another thread of the process could take it.
bool others_could_take(const World& world, ThreadId thread, int signal) {
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& other = world.threads[i];
    if (ThreadId(i) == thread || other.process != world.thread(thread).process) continue;
    if (other.status == ThreadStatus::Absent || other.status == ThreadStatus::AtExit) continue;
    if ((other.blocked & signal_bit(signal)) == 0 || other.pending.kind == OpKind::SignalWait)
      return true;
  }
  return false;
}

// Who sends a signal to itself takes it before the call returns.
bool takes_at_once(const World& world, ThreadId thread, const Operation& op) {
  const auto signal = static_cast<int>(op.value);
  if (signal == 0 || (op.flags & kFromTimer) != 0 || world.signal_count == kMaxPendingSignals)
    return false;
  const ThreadState& me = world.thread(thread);
  if ((me.blocked & signal_bit(signal)) != 0 ||
      does_nothing(signal_table(world, me.process), signal))
    return false;
  if ((op.flags & kToThread) != 0) return op.target == thread;
  const bool to_me = (op.flags & kToAll) != 0 || op.target == me.process;
  return to_me && !others_could_take(world, thread, signal);
}

uint64_t interrupting(const World& world, ThreadId thread, const Operation& op, uint64_t taken) {
  const SignalTable& table = signal_table(world, world.thread(thread).process);
  return taken & table.handled & ~(is_restartable(op) ? table.restarts : 0);
}

}  // namespace

bool is_interruptible(const Operation& op) { return row_of(op.kind).interrupted > Interrupted::No; }

Outcomes with_deliveries(const World& world, ThreadId thread, const Operation& op,
                         const Outcomes& plain, bool blocks) {
  if (!takes_signals(op)) return plain;
  Outcomes all = plain;
  all.first = deliverable(world, thread, world.thread(thread).blocked);
  if (op.kind == OpKind::SignalPause) {
    all.then = deliverable(world, thread, static_cast<uint64_t>(op.value));
    return all;
  }
  if (op.kind == OpKind::SignalSend) {
    if (takes_at_once(world, thread, op)) all.then = signal_bit(static_cast<int>(op.value));
  } else if (op.kind == OpKind::SignalMask) {
    all.then = deliverable(world, thread, static_cast<uint64_t>(op.value));
  } else if (!blocks) {
    return all;
  } else if (!has_own_mask(op)) {
    all.then = interrupting(world, thread, op, all.first);
    return all;
  } else {
    all.then = deliverable(world, thread, own_mask(op));
  }
  if (all.then != 0) all.form = Outcomes::Form::None;
  return all;
}

Effect take_signal(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  const int signal = signal_of(outcome);
  const bool within = (outcome & kTakesThen) == kTakesThen;
  const bool is_done = within && (op.kind == OpKind::SignalSend || op.kind == OpKind::SignalMask);
  if (is_done) row_of(op.kind).apply(world, thread, op, kOnlyOutcome);
  take(world, thread, signal);
  ThreadState& me = world.thread(thread);
  Effect effect{.error = is_done  ? 0
                         : within ? EINTR
                                  : kOnceMore,
                .signal = static_cast<uint8_t>(signal),
                .thread = me.taken.sender};
  if (!handles(signal_table(world, me.process), signal)) {
    end_process(world, me.process, signal);
    effect.value = kEndedProcess;
    return effect;
  }
  SignalTable& table = own_table(world, me.process);
  const uint64_t bit = signal_bit(signal);
  me.restores = me.blocked;
  if (within && has_own_mask(op)) me.blocked = own_mask(op);
  me.blocked |= table.masks[signal - 1] | ((table.no_defer & bit) != 0 ? 0 : bit);
  if ((table.resets & bit) != 0) table.handled &= ~bit;
  return effect;
}

}  // namespace mazurka
