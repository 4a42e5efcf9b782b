#include "kinds/signals/signals.h"

#include <errno.h>
#include <signal.h>

#include "kinds/signals/signal_parts.h"
#include "objects/clock.h"
#include "objects/world.h"

namespace mazurka {
namespace {

constexpr int kFirstQueuedSignal = 32;  // those below are pending once or not at all

bool is_for(const PendingSignal& entry, const World& world, ThreadId thread) {
  return entry.process == world.thread(thread).process &&
         (entry.thread == kNoThread || entry.thread == thread);
}

void erase(World& world, uint32_t i) {
  for (--world.signal_count; i < world.signal_count; ++i) world.signals[i] = world.signals[i + 1];
}

template <typename Condition>
void erase_if(World& world, Condition&& condition) {
  for (uint32_t i = world.signal_count; i-- > 0;) {
    if (condition(world.signals[i])) erase(world, i);
  }
}

// Linux asks the thread that it is for, or the first one: what is blocked may have another action
// when it is taken.
bool is_dropped(const World& world, const PendingSignal& sent) {
  if ((sent.flags & kFromTimer) != 0) return false;
  const ThreadId asked = sent.thread == kNoThread ? ThreadId(sent.process) : sent.thread;
  const bool blocks = (world.thread(asked).blocked & signal_bit(sent.signal)) != 0;
  return !blocks && does_nothing(signal_table(world, sent.process), sent.signal);
}

bool is_pending_already(const World& world, const PendingSignal& sent) {
  if (sent.signal >= kFirstQueuedSignal) return false;
  for (uint32_t i = 0; i < world.signal_count; ++i) {
    const PendingSignal& other = world.signals[i];
    if (other.process == sent.process && other.thread == sent.thread && other.signal == sent.signal)
      return true;
  }
  return false;
}

// An errno value.
int post(World& world, const PendingSignal& sent) {
  if (world.process(sent.process).ended || is_dropped(world, sent) ||
      is_pending_already(world, sent))
    return 0;
  if (sent.thread != kNoThread && world.thread(sent.thread).status == ThreadStatus::AtExit)
    return 0;
  if (world.signal_count == kMaxPendingSignals) return EAGAIN;
  world.signals[world.signal_count++] = sent;
  return 0;
}

PendingSignal signal_to(const World& world, ThreadId sender, const Operation& op,
                        ProcessId process) {
  PendingSignal sent{.process = process,
                     .sender = sender,
                     .signal = static_cast<uint8_t>(op.value),
                     .flags = op.flags};
  if ((op.flags & kToThread) != 0) sent.thread = op.target;
  sent.value = op.desired;
  sent.time_ns = world.thread(sender).clock_ns;
  return sent;
}

bool is_there(const World& world, ThreadId id) {
  if (index(id) >= world.thread_limit || world.thread(id).status == ThreadStatus::Absent)
    return false;
  return !world.process(world.thread(id).process).reaped &&
         !(world.thread(id).joined && world.thread(id).process != id);
}

Effect apply_send(World& world, ThreadId thread, const Operation& op) {
  if ((op.flags & kToAll) == 0) {
    if (!is_there(world, op.target)) return {.error = ESRCH};
    if (op.value == 0) return {};
    return {.error = post(world, signal_to(world, thread, op, world.thread(op.target).process))};
  }
  for (uint32_t i = 0; i < world.thread_limit && op.value != 0; ++i) {
    const bool lives = world.processes[i].exists && !world.processes[i].ended;
    if (lives) post(world, signal_to(world, thread, op, ProcessId(i)));
  }
  return {};
}

void put(uint64_t& set, uint64_t bit, bool in) { set = in ? set | bit : set & ~bit; }

Effect apply_action(World& world, ThreadId thread, const Operation& op) {
  const ProcessId process = world.thread(thread).process;
  SignalTable& table = own_table(world, process);
  const auto signal = static_cast<int>(op.value);
  const uint64_t bit = signal_bit(signal);
  const bool did_nothing =
      does_nothing(table, signal) && (world.thread(process).blocked & bit) == 0;
  put(table.handled, bit, (op.flags & kHandles) != 0);
  put(table.ignored, bit, (op.flags & kIgnores) != 0);
  put(table.restarts, bit, (op.flags & kRestarts) != 0);
  put(table.no_defer, bit, (op.flags & kNoDefer) != 0);
  put(table.resets, bit, (op.flags & kResetsAction) != 0);
  table.masks[signal - 1] = static_cast<uint64_t>(op.desired);
  if (did_nothing || does_nothing(table, signal)) {
    erase_if(world, [&](const PendingSignal& entry) {
      return entry.process == process && entry.signal == signal && (entry.flags & kFromTimer) == 0;
    });
  }
  return {};
}

Effect apply_look(const World& world, ThreadId thread) {
  uint64_t pending = 0;
  for (uint32_t i = 0; i < world.signal_count; ++i) {
    const PendingSignal& entry = world.signals[i];
    if (is_for(entry, world, thread) && (entry.flags & kFromTimer) == 0)
      pending |= signal_bit(entry.signal);
  }
  return {.value = static_cast<int64_t>(pending & world.thread(thread).blocked)};
}

// Its own before its process's; the oldest of each number. The place in World::signals, or
// signal_count.
uint32_t find(const World& world, ThreadId thread, int signal) {
  uint32_t found = world.signal_count;
  for (uint32_t i = 0; i < world.signal_count; ++i) {
    const PendingSignal& entry = world.signals[i];
    if (entry.signal != signal || !is_for(entry, world, thread)) continue;
    if (entry.thread == thread) return i;
    if (found == world.signal_count) found = i;
  }
  return found;
}

// The smallest number that is waited for, of its own first.
int awaited(const World& world, ThreadId thread, uint64_t set) {
  int own = 0;
  int shared = 0;
  for (uint32_t i = 0; i < world.signal_count; ++i) {
    const PendingSignal& entry = world.signals[i];
    if ((set & signal_bit(entry.signal)) == 0 || !is_for(entry, world, thread)) continue;
    int& best = entry.thread == thread ? own : shared;
    if (best == 0 || entry.signal < best) best = entry.signal;
  }
  return own != 0 ? own : shared;
}

Effect apply_wait(World& world, ThreadId thread, const Operation& op) {
  const int signal = awaited(world, thread, static_cast<uint64_t>(op.value));
  if (signal == 0) {
    if (op.flags & kTimed) jump_to(world.thread(thread), op.deadline_ns);
    return {.error = EAGAIN};
  }
  take(world, thread, signal);
  return {.signal = static_cast<uint8_t>(signal),
          .thread = world.thread(thread).taken.sender,
          .value = signal};
}

Effect apply_cancel(World& world, ThreadId thread, const Operation& op) {
  const uint32_t before = world.signal_count;
  erase_if(world, [&](const PendingSignal& entry) {
    return entry.process == world.thread(thread).process && entry.signal == op.value &&
           (entry.flags & kFromTimer) != 0;
  });
  return {.value = before - world.signal_count};
}

}  // namespace

bool handles(const SignalTable& table, int signal) {
  return (table.handled & signal_bit(signal)) != 0;
}

bool does_nothing(const SignalTable& table, int signal) {
  if ((table.ignored & signal_bit(signal)) != 0) return true;
  return !handles(table, signal) && !ends_by_default(signal);
}

// The table of a process that is about to set an action.
SignalTable& own_table(World& world, ProcessId process) {
  uint32_t& number = world.process(process).signal_table;
  if (number == 0) {
    number = world.signal_table_count++;
    world.signal_tables[number] = SignalTable();
  }
  return world.signal_tables[number];
}

// Requires that it is there.
void take(World& world, ThreadId thread, int signal) {
  const uint32_t i = find(world, thread, signal);
  ThreadState& me = world.thread(thread);
  me.taken = world.signals[i];
  see(me, me.taken.time_ns);
  erase(world, i);
}

bool ends_by_default(int signal) {
  switch (signal) {
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH:
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
      return false;
    default:
      return true;
  }
}

const SignalTable& signal_table(const World& world, ProcessId process) {
  static constexpr SignalTable kDefaults{};
  const uint32_t number = world.process(process).signal_table;
  return number == 0 ? kDefaults : world.signal_tables[number];
}

uint64_t deliverable(const World& world, ThreadId thread, uint64_t blocked) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < world.signal_count; ++i) {
    const PendingSignal& entry = world.signals[i];
    if (!is_for(entry, world, thread) || (blocked & signal_bit(entry.signal)) != 0) continue;
    if (!does_nothing(signal_table(world, entry.process), entry.signal))
      found |= signal_bit(entry.signal);
  }
  return found;
}

// Also where the parent has ended: whether it had must not change what the end of a child depends
// on.
bool wants_child_signal(const World& world, ProcessId parent) {
  if (parent == kNoProcess) return false;
  const bool blocks = (world.thread(parent).blocked & signal_bit(SIGCHLD)) != 0;
  return blocks || handles(signal_table(world, parent), SIGCHLD);
}

namespace on_signals {

Outcomes pause_enabled(const World&, ThreadId, const Operation&) { return Outcomes::none(); }

Outcomes wait_enabled(const World& world, ThreadId thread, const Operation& op) {
  if ((op.flags & (kTry | kTimed)) != 0) return Outcomes::one();
  const bool comes = awaited(world, thread, static_cast<uint64_t>(op.value)) != 0;
  return comes ? Outcomes::one() : Outcomes::none();
}

Effect send(World& world, ThreadId thread, const Operation& op, Outcome) {
  if ((op.flags & kFromTimer) != 0) apply_cancel(world, thread, op);
  return apply_send(world, thread, op);
}

Effect set_action(World& world, ThreadId thread, const Operation& op, Outcome) {
  return apply_action(world, thread, op);
}

Effect set_mask(World& world, ThreadId thread, const Operation& op, Outcome) {
  world.thread(thread).blocked = static_cast<uint64_t>(op.value);
  return {};
}

Effect look(World& world, ThreadId thread, const Operation&, Outcome) {
  return apply_look(world, thread);
}

// Never enabled by itself: it ends by a delivery.
Effect pause(World&, ThreadId, const Operation&, Outcome) { return {}; }

Effect wait(World& world, ThreadId thread, const Operation& op, Outcome) {
  return apply_wait(world, thread, op);
}

Effect cancel(World& world, ThreadId thread, const Operation& op, Outcome) {
  return apply_cancel(world, thread, op);
}

bool send_brings(const Operation& op) { return op.value != 0; }
bool action_brings(const Operation& op) { return op.value == SIGCHLD; }
bool mask_brings(const Operation& op) {
  return (static_cast<uint64_t>(op.value) & signal_bit(SIGCHLD)) != 0;
}

}  // namespace on_signals

void inherit_signals(World& world, ThreadId creator, ThreadId created) {
  const ThreadState& from = world.thread(creator);
  world.thread(created).blocked = from.blocked;
  const uint32_t table = world.process(from.process).signal_table;
  if (world.thread(created).process != created || table == 0) return;
  own_table(world, created) = world.signal_tables[table];
}

void forget_signals_of_thread(World& world, ThreadId thread) {
  if (world.signal_count == 0) return;
  erase_if(world, [&](const PendingSignal& entry) { return entry.thread == thread; });
}

void forget_signals_of_process(World& world, ProcessId process) {
  if (world.signal_count == 0) return;
  erase_if(world, [&](const PendingSignal& entry) { return entry.process == process; });
}

void reset_actions_for_exec(World& world, ProcessId process) {
  if (world.process(process).signal_table == 0) return;
  SignalTable& table = own_table(world, process);
  const uint64_t ignored = table.ignored;
  table = SignalTable();
  table.ignored = ignored;
}

void tell_parent(World& world, ProcessId ended) {
  const ProcessId parent = world.process(ended).parent;
  if (!wants_child_signal(world, parent)) return;
  post(world, {.process = parent,
               .sender = ended,
               .signal = SIGCHLD,
               .time_ns = world.thread(ended).clock_ns});
}

}  // namespace mazurka
