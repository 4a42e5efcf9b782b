// The accesses of joins, waits, forks, and of the ends of threads and processes.
#include "kinds/processes/process.h"
#include "objects/access_mask.h"
#include "objects/asked.h"
#include "objects/op_row.h"

namespace mazurka {
namespace {

void abandons_robust_mutexes(const World& world, ThreadId thread, AccessList& out) {
  const ThreadState& state = world.thread(thread);
  for (uint32_t i = 0; i < world.object_limit && state.robust_held > 0; ++i) {
    const Object& object = world.objects[i];
    if (object.kind != ObjectKind::Mutex || !object.mutex.robust) continue;
    if (object.mutex.owner == thread) out.add(object_resource(ObjectId(i)), Mode::Write);
  }
}

// Also where it has been woken already: who woke it must have come first.
void stops_waiting(const World& world, ThreadId thread, AccessList& out) {
  const ThreadState& state = world.thread(thread);
  if (state.waiting_on == kNoObject) return;
  out.add(object_resource(state.waiting_on), Mode::Write);
  out.add(wake_resource(thread), Mode::Write);
}

void reads_threads_of(const World& world, ProcessId process, AccessList& out) {
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& thread = world.threads[i];
    if (thread.status == ThreadStatus::Absent || thread.process != process) continue;
    out.add(thread_resource(ThreadId(i)), Mode::Read);
  }
}

}  // namespace

void ends_threads(const World& world, ThreadId thread, AccessList& out) {
  const ProcessId process = world.thread(thread).process;
  out.add(process_resource(process, kLife), Mode::Write);
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& other = world.threads[i];
    if (other.status == ThreadStatus::Absent || other.status == ThreadStatus::AtExit) continue;
    if (other.process != process) continue;
    abandons_robust_mutexes(world, ThreadId(i), out);
    stops_waiting(world, ThreadId(i), out);
  }
}

void ends_process(const World& world, ThreadId thread, AccessList& out) {
  ends_threads(world, thread, out);
  pays_undo(world, world.thread(thread).process, out);
  closes_descriptions(world, world.thread(thread).process, out);
  gives_up_records(world, world.thread(thread).process, out);
  tells_parent(world, world.thread(thread).process, out);
}

// It copies what the other threads did.
void fork_accesses(ProcessId parent, AccessList& out) {
  out.add(process_resource(parent, kLife), Mode::Write);
  out.add(process_resource(parent, kChildren), Mode::Write);
}

namespace on_process {

// Once the first thread has left, the others' exits are noticed: so it changes what their last
// operations lead to.
void thread_exit_accesses(const Asked& asked, AccessList& out) {
  const ProcessId process = asked.process();
  abandons_robust_mutexes(asked.world, asked.thread, out);
  out.add(process_resource(process, kExits), Mode::Write);
  if (asked.thread == process) out.add(process_resource(process, kLife), Mode::Write);
}

void end_accesses(const Asked& asked, AccessList& out) {
  ends_process(asked.world, asked.thread, out);
}

void copy_accesses(const Asked& asked, AccessList& out) { fork_accesses(asked.process(), out); }

void exec_accesses(const Asked& asked, AccessList& out) {
  ends_threads(asked.world, asked.thread, out);
}

// --- joins and waits

// A wait for any child reads which of them are left; one for nobody also reads that none of those
// has ended.
void wait_child_accesses(const Asked& asked, AccessList& out) {
  const World& world = asked.world;
  const ProcessId parent = world.thread(asked.thread).process;
  const bool any_child = asked.op.target == kNoThread;
  const bool takes_one = asked.outcome != kNobody;
  if (any_child) {
    const bool changes = asked.possible || takes_one;
    out.add(process_resource(parent, kChildren), changes ? Mode::Write : Mode::Read);
  } else if (index(asked.op.target) < world.thread_limit) {
    out.add(process_resource(asked.op.target, kReaped), Mode::Read);
  }
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ProcessState& child = world.processes[i];
    if (!child.exists || child.parent != parent) continue;
    if (!any_child && asked.op.target != ProcessId(i)) continue;
    const bool taken = asked.possible || (takes_one && asked.outcome == i);
    out.add(process_resource(ProcessId(i), kReaped), taken ? Mode::Write : Mode::Read);
    if (taken || (!takes_one && !child.reaped)) reads_threads_of(world, ProcessId(i), out);
  }
}

void join_misuse_accesses(const Asked& asked, Mode, AccessList& out) {
  if (index(asked.op.target) < kMaxThreads) out.add(thread_resource(asked.op.target), Mode::Read);
}

bool join_mentions(const Mentioned& mentioned, AccessMask& mask) {
  mask.add(thread_resource(mentioned.op.target), Mode::Write);
  return true;
}

}  // namespace on_process

void on_nothing::event_accesses(const Asked&, AccessList& out) {
  out.add(events_resource(), Mode::Write);
}

}  // namespace mazurka
