#include "protocol/batch.h"

#include <sys/syscall.h>
#include <time.h>

#include <cstring>

#include "protocol/names.h"

namespace mazurka {
namespace {

// After this long the tool may want to show progress, or to stop.
constexpr int64_t kLongestBatchNs = 20'000'000;
// A look at the clock is a system call. Executions that are shorter than this share one, a few at a
// time.
constexpr int64_t kWorthALookNs = 1'000'000;
constexpr int64_t kMostBetweenLooks = 8;
// Where the last batch was short, this one is expected to be.
constexpr int64_t kShortBatchNs = 1'000'000;
constexpr uint32_t kFirstLookAfterShort = 32;
// A batch ends where so much of an array is in use that the next execution might not find room.
constexpr uint32_t kShare = 8;

bool is_usual(Ending ending) {
  switch (ending) {
    case Ending::Finished:
    case Ending::Deadlock:
    case Ending::Bounded:
    case Ending::DepthReached:
    case Ending::Blocked:
      return true;
    case Ending::None:
    case Ending::NeedsFork:
    case Ending::NeedsFiles:
    case Ending::NeedsStreamLocks:
    case Ending::NeedsLoop:
    case Ending::NeedsWatches:
    case Ending::NeedsAccesses:
    case Ending::Livelock:
    case Ending::Nondeterminism:
    case Ending::RuntimeError:
      return false;
  }
  return false;
}

bool is_getting_full(const Segment& s) {
  const LogHeader& log = s.log;
  return log.step_begin + log.step_count > kMaxSteps / kShare ||
         log.enabled_end > kMaxEnabled / kShare || log.access_end > kMaxAccesses / kShare ||
         log.setting_end > kMaxSettings / kShare || log.word_end > log.word_begin ||
         log.creation_end > kMaxCreations - kMaxThreads ||
         log.thread_end > kMaxLoggedThreads - kMaxThreads || log.frame_end > kMaxFrames / kShare ||
         log.race_end > kMaxRaces / kShare || log.guard_end > kMaxGuards / kShare ||
         s.text_count > kMaxText / kShare;
}

// New names must be the same for all instances of the program; and the parts of System V operations
// are in the world.
bool must_be_looked_at(const Segment& s) {
  return !is_usual(s.log.ending) || s.names.thread_count != s.batch.thread_names ||
         s.names.object_count != s.batch.object_names || s.world.part_count != 0;
}

// Requires that the range is one of World::parts.
bool parts_are_sane(const World& world, const Operation& op) {
  for (uint32_t i = 0; i < op.part_count; ++i) {
    if (index(world.parts[op.part_begin + i].object) >= kMaxObjects) return false;
  }
  return true;
}

// The tool calls this, too, after a program that may have written anything here.
bool is_sane(const World& world, const Operation& op) {
  const auto is_object = [](ObjectId id) { return id == kNoObject || index(id) < kMaxObjects; };
  return op.kind < OpKind::kCount && is_object(op.object) && is_object(op.second) &&
         (op.target == kNoThread || index(op.target) < kMaxThreads) && op.part_begin <= kMaxParts &&
         op.part_count <= kMaxParts - op.part_begin && parts_are_sane(world, op) &&
         world.undo_count <= kMaxUndo && world.message_limit <= kMaxMessages;
}

// The byte as it is: what a program has written there may be no bool.
uint8_t byte_of(const bool& flag) {
  uint8_t byte;
  memcpy(&byte, &flag, sizeof byte);
  return byte;
}

void log_accesses(Segment& s, LoggedThread& out) {
  out.access_begin = s.log.access_end;
  if (!is_sane(s.world, out.pending) || s.log.access_end > kMaxAccesses - kMaxStepAccesses) return;
  AccessList list{s.accesses + s.log.access_end, kMaxStepAccesses};
  possible_accesses(s.world, out.id, out.pending, list);
  out.access_count = list.count;
  s.log.access_end += list.count;
}

void log_threads(Segment& s) {
  s.log.thread_end = s.log.thread_begin;
  for (uint32_t i = 0; i < s.world.thread_limit && i < kMaxThreads; ++i) {
    const ThreadState& thread = s.world.threads[i];
    if (thread.status == ThreadStatus::Absent || s.log.thread_end >= kMaxLoggedThreads) continue;
    const ThreadPlace& place = s.places[i];
    LoggedThread& out = s.logged_threads[s.log.thread_end++];
    out.id = ThreadId(i);
    out.process = thread.process;
    out.status = thread.status;
    out.killed = byte_of(thread.killed);
    out.frame_begin = place.frame_begin;
    out.frame_count = place.frame_count;
    out.pc = place.pc;
    out.start_routine = place.start_routine;
    out.pending = thread.pending;
    memcpy(out.name, place.name, sizeof out.name);
    out.access_begin = out.access_count = 0;
    if (thread.status == ThreadStatus::AtOperation || out.killed != 0) log_accesses(s, out);
  }
}

void load_free_run(Segment& s) {
  const PlanHeader& plan = s.plan;
  FreeRun& run = s.free_run;
  run.random = plan.random;
  run.policy = plan.policy;
  run.forced = plan.forced;
  run.conditional = plan.conditional;
  run.invisible_first = plan.invisible_first;
  run.composed = plan.composed;
  run.sleep_count = plan.sleep_count;
  run.block_count = plan.block_count;
  run.block_access_count = plan.block_access_count;
  memcpy(run.sleep, s.planned_sleep + plan.sleep_begin, plan.sleep_count * sizeof *run.sleep);
  memcpy(run.blocks, s.planned_blocks + plan.block_begin, plan.block_count * sizeof *run.blocks);
  memcpy(run.block_accesses, s.planned_block_accesses + plan.block_access_begin,
         plan.block_access_count * sizeof *run.block_accesses);
  run.begin();
}

// Where the last one ended.
void begin_log(Segment& s) {
  const LogHeader last = s.batch.run_count == 0 ? LogHeader{} : s.log;
  s.log = {};
  s.log.culprit = kNoThread;
  s.log.step_begin = last.step_begin + last.step_count;
  s.log.setting_begin = s.log.setting_end = last.setting_end;
  s.log.creation_begin = s.log.creation_end = last.creation_end;
  s.log.thread_begin = s.log.thread_end = last.thread_end;
  s.log.race_begin = s.log.race_end = last.race_end;
  s.log.guard_begin = s.log.guard_end = last.guard_end;
  s.log.enabled_end = last.enabled_end;
  s.log.frame_end = last.frame_end;
  s.log.access_end = last.access_end;
  s.log.word_begin = s.log.word_end = s.known_words.count;
}

// Past libc, whose clock reads the time stamp counter: in the program, that faults
// (runtime/time/time_stamps.h). And past the program's own calls.
int64_t monotonic_ns() {
  timespec now{};
  int64_t result = SYS_clock_gettime;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(CLOCK_MONOTONIC), "S"(&now)
                   : "rcx", "r11", "memory");
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

bool has_taken_long(Batch& batch) {
  if (batch.run_count < batch.next_look) return false;
  const int64_t taken_ns = monotonic_ns() - batch.start_ns;
  const int64_t each_ns = taken_ns / batch.run_count + 1;
  const int64_t wait = kWorthALookNs / each_ns;
  batch.next_look =
      batch.run_count + static_cast<uint32_t>(wait < 1                   ? 1
                                              : wait > kMostBetweenLooks ? kMostBetweenLooks
                                                                         : wait);
  return taken_ns > kLongestBatchNs;
}

}  // namespace

// With the log: should nobody come to the first plan, what is kept is nothing, not what was left
// there.
void clear_batch(Segment& s) {
  s.batch = {};
  s.log = {};
  s.log.culprit = kNoThread;
}

bool begin_next_plan(Segment& s) {
  Batch& batch = s.batch;
  if (batch.is_over || batch.run_count >= batch.plan_count || batch.run_count >= kMaxBatch)
    return false;
  if (batch.run_count == 0) {
    batch.thread_names = s.names.thread_count;
    batch.object_names = s.names.object_count;
    const int64_t now = monotonic_ns();
    batch.next_look = now - batch.start_ns < kShortBatchNs ? kFirstLookAfterShort : 1;
    batch.start_ns = now;
    s.text_count = 0;
  }
  s.plan = s.plans[batch.run_count];
  begin_log(s);
  load_free_run(s);
  return true;
}

// A batch is over where something new is named, so the first execution of a longer one has named
// nothing.
void forget_all_but_first(Segment& s, uint32_t thread_names, uint32_t object_names) {
  if (s.batch.run_count <= 1) return;
  s.batch.run_count = 1;
  s.log = s.logs[0];
  forget_names(s.names, thread_names, object_names);
}

void keep_log(Segment& s) {
  Batch& batch = s.batch;
  if (batch.run_count >= kMaxBatch) return;
  const ProcessState& first = s.world.processes[0];
  s.log.first_process_ended = byte_of(first.ended);
  s.log.wait_status = first.wait_status;
  log_threads(s);
  s.log.word_end = s.known_words.count;
  s.logs[batch.run_count] = s.log;
  ++batch.run_count;
  batch.is_over = must_be_looked_at(s) || is_getting_full(s) || has_taken_long(batch);
}

}  // namespace mazurka
