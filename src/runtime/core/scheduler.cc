#include "runtime/core/scheduler.h"

#include <execinfo.h>
#include <linux/futex.h>

#include <cstring>

#include "protocol/look.h"
#include "runtime/accesses/annotated_calls.h"
#include "runtime/accesses/race_clocks.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/accesses/spin_trail.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/raw.h"
#include "runtime/core/stop.h"
#include "runtime/heap/allocator.h"
#include "runtime/reset/in_place.h"
#include "runtime/reset/server.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/threads/fiber.h"
#include "runtime/threads/unwind.h"
#include "schedule/take_step.h"

namespace mazurka {
namespace {

constexpr int kMostFrames = 64;
constexpr size_t kCacheLine = 64;
constexpr size_t kFetchedBytes = 512;

// A thread's stack has mostly left the first cache since it was written; it comes back while the
// step is logged and applied.
void fetch_early(ThreadId id) {
  const char* const stack = static_cast<const char*>(context(id).stack_pointer);
  for (size_t at = 0; at < kFetchedBytes; at += kCacheLine) __builtin_prefetch(stack + at, 1);
}

// --- the log

// The log of the step that is taken next, in the shared segment.
class SegmentLog {
 public:
  SegmentLog(Segment& s, uint32_t position)
      : s_(s), position_(position), step_(s.steps[s.log.step_begin + position]) {
    step_.enabled_count = 0;
  }

  void add_setting(ObjectId id, const Object& object) {
    if (s_.log.setting_end >= kMaxSettings)
      runtime_error("the log is full of objects that were set up (65536)");
    s_.settings[s_.log.setting_end++] = {position_, id, object};
  }
  void add_creation(ThreadId id, const ThreadState& thread, bool forgotten) {
    if (s_.log.creation_end >= kMaxCreations) return;
    s_.creations[s_.log.creation_end++] = {position_, id, thread.creator, thread.process,
                                           forgotten};
  }

  void begin_enabled() { step_.enabled_begin = s_.log.enabled_end; }
  void add_enabled(Choice choice) {
    if (s_.log.enabled_end >= kMaxEnabled)
      runtime_error(
          "the list of enabled choices is full: this execution is too long for the shared segment");
    s_.enabled[s_.log.enabled_end++] = choice;
    ++step_.enabled_count;
  }
  const Choice* enabled() const { return s_.enabled + step_.enabled_begin; }
  uint32_t enabled_count() const { return step_.enabled_count; }

  const Operation& add_choice(Choice choice, bool is_hurried) {
    step_.choice = choice;
    fetch_early(choice.thread);
    const ThreadState& thread = s_.world.thread(choice.thread);
    const ThreadPlace& here = place(choice.thread);
    step_.process = thread.process;
    step_.op = thread.pending;
    step_.pc = here.pc;
    step_.frame_begin = here.frame_begin;
    step_.frame_count = here.frame_count;
    step_.text = here.text;
    step_.is_hurried = is_hurried;
    return step_.op;
  }

  AccessList accesses() {
    if (s_.log.access_end + kMaxStepAccesses > kMaxAccesses)
      runtime_error("the log is full of accesses");
    return {s_.accesses + s_.log.access_end, kMaxStepAccesses};
  }
  void add_accesses(const AccessList& list) {
    step_.access_begin = s_.log.access_end;
    step_.access_count = list.count;
    step_.accesses_everything = list.overflow;
    s_.log.access_end += list.count;
  }

  void before_effect() {
    if (memory_is_seen()) note_file_locks();
  }
  void add_effect(Choice choice, Effect effect) {
    step_.effect = effect;
    if (memory_is_seen()) order_step(choice.thread, step_.op, step_.effect);
    s_.log.step_count = position_ + 1;
  }

 private:
  Segment& s_;
  const uint32_t position_;
  LoggedStep& step_;
};

void log_invisible(Segment& s, SegmentLog& log) {
  const World& w = s.world;
  if ((w.touched_count | w.created_count) == 0) return;  // mostly
  if (w.touched_count == kMaxTouched)
    runtime_error("one transition sets up more objects than the log can hold (4096)");
  take_invisible(s.world, s.free_run, log);
}

// --- ends

Ending ending_of(StepEnd end) {
  switch (end) {
    case StepEnd::None:
      break;
    case StepEnd::Finished:
      return Ending::Finished;
    case StepEnd::Deadlock:
      return Ending::Deadlock;
    case StepEnd::Bounded:
      return Ending::Bounded;
    case StepEnd::DepthReached:
      return Ending::DepthReached;
    case StepEnd::Blocked:
      return Ending::Blocked;
    case StepEnd::Livelock:
      return Ending::Livelock;
    case StepEnd::Nondeterminism:
      return Ending::Nondeterminism;
  }
  __builtin_unreachable();
}

[[noreturn]] void end_without_step(const TakenStep& taken, uint32_t position) {
  LogHeader& log = segment().log;
  log.culprit = taken.thread;
  if (taken.end == StepEnd::Nondeterminism) {
    log.position = position;
    log.got = came_instead(world(), taken.thread);
  }
  end_execution(ending_of(taken.end));
}

// --- the baton between processes

void futex_wait(uint32_t& word, uint32_t while_value) {
  raw_syscall(SYS_futex, address_of(&word), FUTEX_WAIT, while_value);
}

void futex_wake(uint32_t& word) { raw_syscall(SYS_futex, address_of(&word), FUTEX_WAKE, 1); }

void await(uint32_t& word) {
  while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == 0) futex_wait(word, 0);
  __atomic_store_n(&word, 0, __ATOMIC_RELAXED);
}

void release(uint32_t& word) {
  __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
  futex_wake(word);
}

void become(ThreadId id) {
  if (memory_is_seen()) {
    settle_store();
    change_spin_trail(state.current, id);
    enter_stack_of(id);
    show_clock(id);
  }
  state.current = id;
  segment().control.running = id;
  allocator_set_slot(slot_of(id));
}

void switch_within(ThreadId from, ThreadId to) {
  become(to);
  if (state.carrier == Carrier::Fibers) {
    switch_fiber(from, to);
  } else {
    release(context(to).turn);
    await(context(from).turn);
  }
}

// Requires that somebody gave, or will give, the baton to this process.
void receive_baton(ThreadId from) {
  await(process_slot(state.process).baton);
  const ThreadId to = process_slot(state.process).running;
  if (to == from) {
    become(from);
  } else {
    switch_within(from, to);
  }
}

void log_frames(ThreadPlace& here, void* const* frames, int count) {
  Segment& s = segment();
  if (s.log.frame_end + kMostFrames > kMaxFrames) return;
  here.frame_begin = s.log.frame_end;
  here.frame_count = static_cast<uint16_t>(count);
  for (int i = 0; i < count; ++i)
    s.frames[s.log.frame_end++] = reinterpret_cast<uint64_t>(frames[i]);
}

void log_look(ThreadPlace& here, ThreadId id, uint64_t pc) {
  RuntimeHeap own;
  auto* frames = reinterpret_cast<LookFrame*>(segment().frames + look_begin(id));
  const int count = frames_with_registers(pc, frames, kMostLookFrames);
  here.frame_begin = look_begin(id);
  here.frame_count = static_cast<uint16_t>(count * static_cast<int>(kLookWords));
}

// Until the tool has looked at the program's memory.
void stand_still() {
  uint32_t& word = segment().control.ready;
  __atomic_store_n(&word, kStandsStill, __ATOMIC_RELEASE);
  while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == kStandsStill) futex_wait(word, kStandsStill);
}

// Not inlined: its frames must not be in the way of those who come here without a need for stacks.
__attribute__((noinline)) void log_stack(ThreadPlace& here, const Call& call) {
  if (call.frames != nullptr) return log_frames(here, call.frames, call.frame_count);
  RuntimeHeap own;
  void* frames[kMostFrames];
  const int count = backtrace(frames, kMostFrames);
  // Ours are on top: the first that counts is the place of the call.
  int first = 0;
  while (first < count && reinterpret_cast<uint64_t>(frames[first]) != call.pc) ++first;
  if (first == count) first = 0;
  log_frames(here, frames + first, count - first);
}

void record_place(ThreadId id, const Call& call) {
  const PlanHeader& plan = segment().plan;
  ThreadPlace& here = place(id);
  here.pc = call.pc;
  here.text = call.text != nullptr ? add_text(call.text) : 0;
  here.frame_count = 0;
  if (plan.show_output == kShowsAndStands) return log_look(here, id, call.pc);
  if (plan.stacks) log_stack(here, call);
}

}  // namespace

void record_interruption(uint64_t pc, void* const* frames, int count) {
  place(state.current).pc = pc;
  log_frames(place(state.current), frames, count);
}

ThreadId pick() {
  Segment& s = segment();
  if (s.log.step_count == 0 && seeks_first_state()) stand_in_first_state();
  const PlanHeader& plan = s.plan;
  const uint32_t position = s.log.step_count;
  if (s.log.step_begin + position >= kMaxSteps) {
    runtime_error("the log is full: this execution is too long for the shared segment");
  }
  SegmentLog log(s, position);
  log_invisible(s, log);
  const StepRules rules = {
      s.prefix + plan.prefix_begin, plan.prefix_length, plan.depth, plan.bound, plan.livelock,
      plan.lists_enabled != 0};
  const TakenStep taken = take_step(s.world, s.free_run, rules, position, log);
  if (taken.end != StepEnd::None) end_without_step(taken, position);
  note_step(position);
  return taken.thread;
}

void hand_over(ThreadId from, ThreadId to) {
  const ProcessId there = world().thread(to).process;
  if (there == state.process) {
    switch_within(from, to);
  } else {
    give_away(to);
    receive_baton(from);
  }
}

void give_away(ThreadId to) {
  const ProcessId there = world().thread(to).process;
  process_slot(there).running = to;
  segment().control.baton_holder = there;
  release(process_slot(there).baton);
}

void await_first_baton() {
  await(process_slot(state.process).baton);
  become(process_slot(state.process).running);
}

void run_until_first_operation(ThreadId creator, ThreadId created) {
  if (memory_is_seen()) order_creation(creator, created);
  place(created).starting = 1;
  hand_over(creator, created);
}

void leave_for_good(ThreadId id) {
  settle_store();
  ThreadId to;
  if (place(id).starting) {
    place(id).starting = 0;
    to = world().thread(id).creator;
  } else {
    to = pick();
  }
  hand_over(id, to);
  __builtin_unreachable();
}

namespace {

// Until it was chosen once.
Effect stand_before(const Operation& op, const Call& call) {
  World& w = world();
  const ThreadId me = state.current;
  if (!state.scheduling) {
    const bool can = enabled(w, me, op).any();
    if (can) return happen_at_once(op, call);
    begin_executions();
  }
  ThreadState& thread = w.thread(me);
  thread.pending = op;
  thread.status = ThreadStatus::AtOperation;
  const bool seen = memory_is_seen();
  settle_store();
  if (seen && !is_on_variable(op.kind)) leave_spin_trail();
  if (calls_are_annotated) check_operation_in_call(op, call);
  record_place(me, call);
  ++segment().control.progress;
  if (place(me).starting) {
    place(me).starting = 0;
    hand_over(me, thread.creator);
  } else {
    const ThreadId next = pick();
    if (next != me) {
      hand_over(me, next);
    } else if (seen) {
      show_clock(me);  // otherwise become() did
    }
  }
  if (op.kind == OpKind::Assertion || op.kind == OpKind::Misuse) stop_here();
  if (thread.effect.misuse != Misuse::None) {
    stop_here();
    happen_at_once({.kind = OpKind::Misuse, .value = static_cast<int64_t>(thread.effect.misuse)},
                   call);
    vanish();
  }
  return thread.effect;
}

// Not where it waited for just that signal.
bool interrupts(const Operation& op, const Effect& effect) {
  return effect.signal != 0 && (op.kind != OpKind::SignalWait || effect.error != 0);
}

}  // namespace

Effect reach(const Operation& op, const Call& call) {
  for (;;) {
    const Effect effect = stand_before(op, call);
    if (!interrupts(op, effect)) return effect;
    if (memory_is_seen()) leave_spin_trail();
    run_handler(effect.signal, call);
    if (effect.error != kOnceMore) return effect;
  }
}

Effect happen_at_once(const Operation& op, const Call& call) {
  World& w = world();
  const ThreadId me = state.current;
  ThreadState& thread = w.thread(me);
  const uint32_t transitions = thread.transitions;
  const uint64_t moves = w.moves;
  Outcome outcome = kOnlyOutcome;
  each_outcome(w, enabled(w, me, op), [&](Outcome o) {
    outcome = o;
    return false;
  });
  if (state.scheduling && memory_is_seen()) note_file_locks();
  const Effect effect = apply(w, me, op, outcome);
  if (state.scheduling && memory_is_seen()) {
    order_step(me, op, effect);
    show_clock(me);
  }
  thread.transitions = transitions;
  w.moves = moves;
  if (op.object != kNoObject) w.touch(op.object);
  if (op.second != kNoObject) w.touch(op.second);
  for (uint32_t i = 0; i < op.part_count; ++i) w.touch(w.parts[op.part_begin + i].semaphore);
  if (effect.misuse != Misuse::None && op.kind != OpKind::Misuse)
    misuse(effect.misuse, call, op.object);
  return effect;
}

void misuse(Misuse what, Call call, ObjectId object) {
  if (!state.scheduling) begin_executions();
  reach({.kind = OpKind::Misuse, .object = object, .value = static_cast<int64_t>(what)}, call);
  vanish();
}

void runtime_error(const char* sentence) {
  segment().log.text = add_text(sentence);
  end_execution(Ending::RuntimeError);
}

void end_execution(Ending ending) {
  if (segment().plan.show_output == kShowsAndStands) stand_still();
  segment().log.ending = ending;
  if (segment().plan.stacks) {
    RuntimeHeap own;
    record_modules();
  }
  stop_here();
  if (runs_in_place()) return_to_server();
  raw_exit_group(0);
}

void name_unmodelled(const char* name, Call call, bool costs_complete) {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.unmodelled_count; ++i) {
    Unmodelled& known = s.unmodelled[i];
    if (strcmp(s.kept_text + known.text, name) != 0) continue;
    ++known.count;
    return;
  }
  if (s.unmodelled_count >= kMaxUnmodelled) return;
  s.unmodelled[s.unmodelled_count++] = {call.pc, keep_text(name), 1, costs_complete, {}};
}

}  // namespace mazurka
