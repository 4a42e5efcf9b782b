#include "kinds/processes/process.h"

#include <errno.h>
#include <signal.h>

#include "objects/clock.h"

namespace mazurka {
namespace {

bool reaches(const Object& object, ProcessId process) {
  return object.process == kNoProcess || object.process == process;
}

void abandon_robust_mutexes(World& world, ThreadId thread) {
  ThreadState& me = world.thread(thread);
  for (uint32_t i = 0; i < world.object_limit && me.robust_held > 0; ++i) {
    Object& object = world.objects[i];
    if (!holds_robust(world, thread, object)) continue;
    see(me, object);
    object.mutex.abandon();
    show(me, object);
    --me.robust_held;
  }
}

bool holds_shared_robust(const World& world, ThreadId thread) {
  if (world.thread(thread).robust_held == 0) return false;
  for (uint32_t i = 0; i < world.object_limit; ++i) {
    const Object& object = world.objects[i];
    if (object.process == kNoProcess && holds_robust(world, thread, object)) return true;
  }
  return false;
}

// Whether somebody may still find out that the descriptors of its process are closed.
bool closing_is_noticed(const World& world, ThreadId thread) {
  return holds_descriptions(world, world.thread(thread).process) && !world.alone(thread);
}

bool end_is_signalled(const World& world, ProcessId process) {
  return wants_child_signal(world, world.process(process).parent);
}

void leave(World& world, ThreadId thread) {
  ThreadState& state = world.thread(thread);
  if (state.status == ThreadStatus::AtExit) return;
  abandon_robust_mutexes(world, thread);
  stop_waiting(state);
  forget_signals_of_thread(world, thread);
  state.killed = state.status == ThreadStatus::AtOperation;
  state.status = ThreadStatus::AtExit;
  ProcessState& process = world.process(state.process);
  if (process.live_threads > 0) --process.live_threads;
}

void leave_alone(World& world, ThreadId thread) {
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& other = world.threads[i];
    if (ThreadId(i) == thread || other.status == ThreadStatus::Absent) continue;
    if (other.process != world.thread(thread).process) continue;
    leave(world, ThreadId(i));
    world.threads[i].joined = true;  // exec comes after all that they did
  }
}

bool is_child(const World& world, ProcessId child, ProcessId parent, ThreadId wanted) {
  const ProcessState& p = world.process(child);
  return p.exists && p.parent == parent && !p.reaped && (wanted == kNoThread || wanted == child);
}

struct Children {
  bool any = false;
  bool ended = false;
};

Children children(const World& world, ThreadId thread, ThreadId wanted) {
  Children result;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    if (!is_child(world, ProcessId(i), world.thread(thread).process, wanted)) continue;
    result.any = true;
    result.ended = result.ended || world.processes[i].ended;
  }
  return result;
}

Effect apply_wait_child(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  if (outcome == kNobody) return {.error = children(world, thread, op.target).any ? 0 : ECHILD};
  ThreadState& me = world.thread(thread);
  const ProcessId child{outcome};
  world.process(child).reaped = true;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    ThreadState& other = world.threads[i];
    if (other.status == ThreadStatus::Absent || other.process != child) continue;
    other.joined = true;
    see(me, other.clock_ns);
  }
  return {.thread = child, .value = world.process(child).wait_status};
}

Outcomes children_to_wait_for(const World& world, ThreadId thread, const Operation& op) {
  const Children found = children(world, thread, op.target);
  if (!found.any) return Outcomes::one(kNobody);
  if (!found.ended) return op.flags & kTry ? Outcomes::one(kNobody) : Outcomes::none();
  if (op.target != kNoThread) return Outcomes::one(outcome_of(op.target));
  return Outcomes::children(world.thread(thread).process);
}

// The last one of its process does not stand at exit yet: it still has to do what exit does.
Effect apply_thread_exit(World& world, ThreadId thread) {
  const bool last = world.process(world.thread(thread).process).live_threads == 1;
  abandon_robust_mutexes(world, thread);
  if (!last) stand_at_exit(world, thread, 0);
  return {.value = last};
}

}  // namespace

// A copy made by fork may name a thread of the parent as its owner: that one does not hold the
// copy.
bool holds_robust(const World& world, ThreadId thread, const Object& object) {
  return object.kind == ObjectKind::Mutex && object.mutex.robust && object.mutex.owner == thread &&
         reaches(object, world.thread(thread).process);
}

namespace on_process {

Outcomes wait_child_enabled(const World& world, ThreadId thread, const Operation& op) {
  return children_to_wait_for(world, thread, op);
}

Effect wait_child(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  return apply_wait_child(world, thread, op, outcome);
}

Effect thread_exit(World& world, ThreadId thread, const Operation&, Outcome) {
  return apply_thread_exit(world, thread);
}

Effect fork(World&, ThreadId, const Operation&, Outcome) { return {}; }

Effect exec(World& world, ThreadId thread, const Operation&, Outcome) {
  leave_alone(world, thread);
  reset_actions_for_exec(world, world.thread(thread).process);
  return {};
}

Effect end(World& world, ThreadId thread, const Operation& op, Outcome) {
  end_process(world, world.thread(thread).process, static_cast<int>(op.value));
  return {};
}

Effect crash(World& world, ThreadId thread, const Operation& op, Outcome) {
  end_process(world, world.thread(thread).process, static_cast<int>(op.value & 0x7f));
  return {};
}

Effect fail(World& world, ThreadId thread, const Operation&, Outcome) {
  end_process(world, world.thread(thread).process, SIGABRT);
  return {};
}

}  // namespace on_process

namespace on_nothing {

Outcomes toss_enabled(const World&, ThreadId, const Operation& op) {
  return Outcomes::range(static_cast<uint32_t>(op.value) + 1);
}

Outcomes others_have_moved(const World& world, ThreadId thread, const Operation&) {
  return world.moves > world.thread(thread).waiting_since ? Outcomes::one() : Outcomes::none();
}

Effect none(World&, ThreadId, const Operation&, Outcome) { return {}; }

Effect toss(World&, ThreadId, const Operation&, Outcome outcome) { return {.value = outcome}; }

Effect note_event(World& world, ThreadId, const Operation&, Outcome) {
  return {.value = static_cast<int64_t>(world.events++)};
}

}  // namespace on_nothing

void end_process(World& world, ProcessId process, int wait_status) {
  ProcessState& state = world.process(process);
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    if (world.threads[i].status != ThreadStatus::Absent && world.threads[i].process == process) {
      leave(world, ThreadId(i));
    }
  }
  if (state.ended) return;
  pay_undo(world, process);
  close_descriptions(world, process);
  forget_signals_of_process(world, process);
  state.ended = true;
  state.wait_status = wait_status;
  tell_parent(world, process);
}

void stand_at_exit(World& world, ThreadId thread, int wait_status) {
  leave(world, thread);
  const ProcessId process = world.thread(thread).process;
  if (world.process(process).live_threads == 0) end_process(world, process, wait_status);
}

bool has_unseen_threads(const World& world, ThreadId thread) {
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& other = world.threads[i];
    if (ThreadId(i) == thread || other.status == ThreadStatus::Absent || other.joined) continue;
    if (other.process == world.thread(thread).process) return true;
  }
  return false;
}

bool thread_exit_is_noticed(const World& world, ThreadId thread) {
  const ThreadState& me = world.thread(thread);
  if (me.robust_held > 0 || owes_undo(world, me.process)) return true;
  const bool is_last = world.process(me.process).live_threads == 1;
  if (is_last && (closing_is_noticed(world, thread) || end_is_signalled(world, me.process)))
    return true;
  const bool first_has_left =
      thread == me.process || world.thread(me.process).status == ThreadStatus::AtExit;
  return first_has_left && has_unseen_threads(world, thread);
}

bool process_end_is_noticed(const World& world, ThreadId thread) {
  const ProcessId process = world.thread(thread).process;
  if (world.process(process).ended) return false;
  return has_unseen_threads(world, thread) || owes_undo(world, process) ||
         holds_shared_robust(world, thread) || closing_is_noticed(world, thread) ||
         end_is_signalled(world, process);
}

}  // namespace mazurka
