// The accesses of operations on signals, and of taking one. What is pending for a process, and what
// it does with signals, belongs to its life, which everything that its threads do reads anyway;
// what is pending for a thread alone belongs to the life of that thread, which everything that it
// does adds to. So programs without signals pay nothing.
#include <signal.h>

#include "kinds/signals/signal_parts.h"
#include "objects/asked.h"

namespace mazurka {
namespace {

void writes_life(ProcessId process, AccessList& out) {
  out.add(process_resource(process, kLife), Mode::Write);
}

void sends_to_process(ProcessId process, int64_t signal, AccessList& out) {
  out.add(process_resource(process, kReaped), Mode::Read);
  if (signal != 0) writes_life(process, out);
}

// Whether it is there: its end need not be an operation.
void sends_to_thread(const Asked& asked, AccessList& out) {
  const ThreadId target = asked.op.target;
  out.add(thread_resource(target), asked.op.value == 0 ? Mode::Read : Mode::Write);
  const ProcessId process = asked.world.thread(target).process;
  out.add(process_resource(process, kReaped), Mode::Read);
  if (process != asked.process()) out.add(process_resource(process, kLife), Mode::Read);
}

void sends(const Asked& asked, AccessList& out) {
  const World& world = asked.world;
  if ((asked.op.flags & kToAll) != 0) {
    for (uint32_t i = 0; i < world.thread_limit; ++i) {
      if (world.processes[i].exists) sends_to_process(ProcessId(i), asked.op.value, out);
    }
    return;
  }
  if (index(asked.op.target) >= world.thread_limit) return;
  if (world.thread(asked.op.target).status == ThreadStatus::Absent) return;
  if ((asked.op.flags & kToThread) != 0) return sends_to_thread(asked, out);
  sends_to_process(asked.op.target, asked.op.value, out);
}

// The ends of its children, which need not be operations, look at what it does with SIGCHLD:
// whether it has a handler, or else blocks it.
void changes_child_signal(const World& world, ProcessId parent, AccessList& out) {
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& thread = world.threads[i];
    if (thread.status == ThreadStatus::Absent) continue;
    if (world.process(thread.process).parent == parent)
      out.add(thread_resource(ThreadId(i)), Mode::Write);
  }
}

// Requires that the thread's mask becomes `blocked`.
void changes_mask(const Asked& asked, uint64_t blocked, AccessList& out) {
  const uint64_t changed = asked.world.thread(asked.thread).blocked ^ blocked;
  if (asked.thread != asked.process() || (changed & signal_bit(SIGCHLD)) == 0) return;
  if (handles(signal_table(asked.world, asked.thread), SIGCHLD)) return;
  changes_child_signal(asked.world, asked.thread, out);
}

void takes(const Asked& asked, int signal, AccessList& out) {
  const World& world = asked.world;
  const ProcessId process = asked.process();
  const SignalTable& table = signal_table(world, process);
  const uint64_t bit = signal_bit(signal);
  if ((table.handled & bit) == 0) return ends_process(world, asked.thread, out);
  bool is_shared = false;
  for (uint32_t i = 0; i < world.signal_count; ++i) {
    const PendingSignal& entry = world.signals[i];
    is_shared = is_shared ||
                (entry.signal == signal && entry.process == process && entry.thread == kNoThread);
  }
  if (is_shared || (table.resets & bit) != 0) writes_life(process, out);
  if (signal == SIGCHLD && (table.resets & bit) != 0) changes_child_signal(world, process, out);
  const uint64_t added = table.masks[signal - 1] | ((table.no_defer & bit) != 0 ? 0 : bit);
  changes_mask(asked, world.thread(asked.thread).blocked | added, out);
  if (asked.op.kind == OpKind::SignalMask)
    changes_mask(asked, static_cast<uint64_t>(asked.op.value) | added, out);
  if (has_own_mask(asked.op)) changes_mask(asked, own_mask(asked.op) | added, out);
}

}  // namespace

namespace on_signals {

void send_accesses(const Asked& asked, AccessList& out) { sends(asked, out); }

void action_accesses(const Asked& asked, AccessList& out) {
  writes_life(asked.process(), out);
  if (asked.op.value == SIGCHLD) changes_child_signal(asked.world, asked.process(), out);
}

void mask_accesses(const Asked& asked, AccessList& out) {
  changes_mask(asked, static_cast<uint64_t>(asked.op.value), out);
}

void process_accesses(const Asked& asked, AccessList& out) { writes_life(asked.process(), out); }

}  // namespace on_signals

void delivery_accesses(const Asked& asked, uint64_t signals, AccessList& out) {
  for (; signals != 0; signals &= signals - 1) takes(asked, __builtin_ctzll(signals) + 1, out);
}

void tells_parent(const World& world, ProcessId ended, AccessList& out) {
  const ProcessId parent = world.process(ended).parent;
  if (wants_child_signal(world, parent)) writes_life(parent, out);
}

}  // namespace mazurka
