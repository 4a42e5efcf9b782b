#include "objects/accesses.h"

#include "objects/misuse.h"
#include "objects/object_accesses.h"

namespace mazurka {

// From behind: what all transitions have, and what mostly does not conflict, comes first.
bool conflict(const Access* a, uint32_t a_count, const Access* b, uint32_t b_count) {
  for (uint32_t i = a_count; i-- > 0;) {
    for (uint32_t j = b_count; j-- > 0;) {
      if (a[i].resource == b[j].resource && conflict(a[i].mode, b[j].mode)) return true;
    }
  }
  return false;
}

namespace {

// --- the ends of threads and processes

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

// What a SETVAL has cancelled counts like what is still owed: otherwise the accesses would depend
// on it.
void pays_undo(const World& world, ProcessId process, AccessList& out) {
  for (uint32_t i = 0; i < world.undo_count; ++i) {
    const SemUndo& undo = world.undo[i];
    if (undo.process != process || (undo.adjustment == 0 && !undo.forgotten)) continue;
    out.add(object_resource(undo.semaphore), Mode::Write);
  }
}

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

// Once the first thread has left, the others' exits are noticed: so it changes what their last
// operations lead to.
void thread_exit_accesses(const Asked& asked, AccessList& out) {
  const ProcessId process = asked.world.thread(asked.thread).process;
  abandons_robust_mutexes(asked.world, asked.thread, out);
  out.add(process_resource(process, kExits), Mode::Write);
  if (asked.thread == process) out.add(process_resource(process, kLife), Mode::Write);
}

// It copies what the other threads did.
void fork_accesses(ProcessId parent, AccessList& out) {
  out.add(process_resource(parent, kLife), Mode::Write);
  out.add(process_resource(parent, kChildren), Mode::Write);
}

// --- joins and waits

void join_accesses(const Asked& asked, AccessList& out) {
  const ThreadState& target = asked.world.thread(asked.op.target);
  const bool joins = asked.possible || target.status == ThreadStatus::AtExit;
  // Joining is a write: it may be done once.
  const Mode mode = joins ? Mode::Write : Mode::Read;
  if (asked.op.target == asked.thread) return out.add(thread_resource(asked.op.target), mode);
  out.add_new(thread_resource(asked.op.target), mode);  // a misuse would not come here
}

void reads_threads_of(const World& world, ProcessId process, AccessList& out) {
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& thread = world.threads[i];
    if (thread.status == ThreadStatus::Absent || thread.process != process) continue;
    out.add(thread_resource(ThreadId(i)), Mode::Read);
  }
}

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

void process_accesses(const Asked& asked, AccessList& out) {
  switch (asked.op.kind) {
    case OpKind::Join:
      return join_accesses(asked, out);
    case OpKind::WaitChild:
      return wait_child_accesses(asked, out);
    case OpKind::ThreadExit:
      return thread_exit_accesses(asked, out);
    case OpKind::Fork:
      return fork_accesses(asked.world.thread(asked.thread).process, out);
    case OpKind::Exec:
      return ends_threads(asked.world, asked.thread, out);
    case OpKind::ProcessEnd:
    case OpKind::Crash:
    case OpKind::Assertion:
    case OpKind::Misuse:
      return ends_process(asked.world, asked.thread, out);
    default:
      return;
  }
}

// --- misuse

void names(ObjectId object, Mode mode, AccessList& out) {
  if (object != kNoObject) out.add(object_resource(object), mode);
}

// It looks at what it names; a destroy leaves its time there, too.
void misuse_accesses(const Asked& asked, Misuse misuse, AccessList& out) {
  const Operation& op = asked.op;
  switch (op.kind) {
    case OpKind::Join:
      if (index(op.target) < kMaxThreads) out.add(thread_resource(op.target), Mode::Read);
      break;
    case OpKind::CondReacquire:
      names(op.second, Mode::Read, out);
      out.add(wake_resource(asked.thread), Mode::Read);
      break;
    case OpKind::CondWait:
      names(op.second, Mode::Read, out);
      [[fallthrough]];
    default:
      names(op.object, misuse == Misuse::DestroyBusy ? Mode::Write : Mode::Read, out);
      break;
  }
  ends_process(asked.world, asked.thread, out);
}

// Whether it is a misuse for good: then there is no object to look into.
bool is_permanent(Misuse misuse) {
  return misuse != Misuse::DestroyBusy && misuse != Misuse::TwoMutexes;
}

// Those on variables are the most frequent, and have nothing to do with processes.
void plain_accesses(const Asked& asked, AccessList& out) {
  if (!is_on_variable(asked.op.kind)) process_accesses(asked, out);
  object_accesses(asked, out);
}

// Where a thread may take a signal, each of its outcomes accesses what any of them might: whatever
// depends on one of them must depend on what the thread does instead (D1 in dependency_checker.h).
// False: there is nothing to take.
bool add_with_deliveries(const Asked& asked, AccessList& out) {
  if (asked.world.signal_count == 0 && asked.op.kind != OpKind::SignalSend) return false;
  const Outcomes outcomes = enabled(asked.world, asked.thread, asked.op);
  if ((outcomes.first | outcomes.then) == 0) return false;
  const Asked all{asked.world, asked.thread, asked.op, kOnlyOutcome, true};
  const Misuse misuse = foretell_misuse(asked.world, asked.thread, asked.op);
  if (misuse != Misuse::None) misuse_accesses(all, misuse, out);
  if (misuse == Misuse::None || !is_permanent(misuse)) {
    plain_accesses(all, out);
  }
  delivery_accesses(all, outcomes.first | outcomes.then, out);
  return true;
}

// Requires an empty list.
void all_accesses(const Asked& asked, AccessList& out) {
  // A yield waits for the others' moves, and is one.
  const bool yields = asked.op.kind == OpKind::Yield;
  out.add_new(moves_resource(), yields ? Mode::Write : Mode::Add);
  out.add_new(thread_resource(asked.thread), Mode::Add);
  out.add_new(process_resource(asked.world.thread(asked.thread).process, kLife), Mode::Read);
  if (add_with_deliveries(asked, out)) return;
  const Misuse misuse = foretell_misuse(asked.world, asked.thread, asked.op);
  if (misuse != Misuse::None) misuse_accesses(asked, misuse, out);
  if (misuse != Misuse::None && (!asked.possible || is_permanent(misuse))) return;
  plain_accesses(asked, out);
}

}  // namespace

void signal_ends_process(const World& world, ThreadId thread, AccessList& out) {
  ends_process(world, thread, out);
}

void accesses(const World& before, ThreadId thread, const Operation& op, Outcome outcome,
              AccessList& out) {
  all_accesses({before, thread, op, outcome, false}, out);
}

void possible_accesses(const World& world, ThreadId thread, const Operation& op, AccessList& out) {
  all_accesses({world, thread, op, kOnlyOutcome, true}, out);
}

void creation_accesses(const World& after, ThreadId created, AccessList& out) {
  const ThreadState& state = after.thread(created);
  out.add(thread_resource(created), Mode::Write);
  if (state.process != created || state.creator == kNoThread) return;
  fork_accesses(after.thread(state.creator).process, out);
}

}  // namespace mazurka
