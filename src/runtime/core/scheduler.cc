// The rule of a step is schedule/take_step.h; here is the runtime's log, which lies in the shared
// segment, and what else must be done at each step of a real program.
#include "runtime/core/scheduler.h"

#include "runtime/accesses/race_clocks.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/core/ends.h"
#include "runtime/core/limits.h"
#include "runtime/core/state.h"
#include "runtime/core/stop.h"
#include "runtime/reset/in_place.h"
#include "schedule/take_step.h"

namespace mazurka {
namespace {

constexpr size_t kCacheLine = 64;
constexpr size_t kFetchedBytes = 512;

// A thread's stack has mostly left the first cache since it was written; it comes back while the
// step is logged and applied.
void fetch_early(ThreadId id) {
  const char* const stack = static_cast<const char*>(context(id).stack_pointer);
  for (size_t at = 0; at < kFetchedBytes; at += kCacheLine) __builtin_prefetch(stack + at, 1);
}

// The log of the step that is taken next, in the shared segment.
class SegmentLog {
 public:
  SegmentLog(Segment& s, uint32_t position)
      : s_(s), position_(position), step_(s.steps[s.log.step_begin + position]) {
    step_.enabled_count = 0;
  }

  void add_setting(ObjectId id, const Object& object) {
    if (s_.log.setting_end >= kMaxSettings)
      limit_reached("the log is full of objects that were set up (65536)");
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
      limit_reached(
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
      limit_reached("the log is full of accesses");
    return {s_.accesses + s_.log.access_end, kMaxStepAccesses};
  }
  void add_accesses(const AccessList& list) {
    step_.access_begin = s_.log.access_end;
    step_.access_count = list.count;
    step_.accesses_everything = list.overflow;
    s_.log.access_end += list.count;
  }

  void before_effect(Choice choice) {
    if (memory_is_seen()) order_before_step(choice.thread, step_.op, choice.outcome);
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
    limit_reached("one transition sets up more objects than the log can hold (4096)");
  take_invisible(s.world, s.free_run, log);
}

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

}  // namespace

ThreadId pick() {
  Segment& s = segment();
  if (s.log.step_count == 0 && seeks_first_state()) stand_in_first_state();
  const PlanHeader& plan = s.plan;
  const uint32_t position = s.log.step_count;
  if (s.log.step_begin + position >= kMaxSteps) {
    limit_reached("the log is full: this execution is too long for the shared segment");
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

}  // namespace mazurka
