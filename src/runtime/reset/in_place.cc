#include "runtime/reset/in_place.h"

#include <linux/prctl.h>
#include <sys/mman.h>

#include <cstring>

#include "base/check.h"
#include "protocol/batch.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/core/state.h"
#include "runtime/heap/allocator.h"
#include "runtime/reset/beginning.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/reset/memory_image.h"
#include "runtime/reset/server.h"
#include "runtime/syscalls/watched_calls.h"
#include "runtime/threads/fiber.h"

namespace mazurka {
namespace {

constexpr size_t kServerStack = size_t{1} << 18;
// Executions before we try to begin in the first global state; by then threads, objects and
// functions have been met. And after so many, whatever stands in the way will go on to do so.
constexpr uint32_t kFewExecutions = 4;
constexpr uint32_t kMostTries = 16;

// In shared memory: survives the reset, and is no part of it.
struct Bench {
  void* server_stack_pointer;
  volatile char
      selector;  // Syscall User Dispatch: 1 stops system calls that our own code does not make
  bool in_execution;
  bool input_read;
  uint32_t executions;  // up to kMostTries
  bool seeks_first_state;
  bool stands_in_first_state;
  bool begins_in_first_state;
  bool locked_streams_there;  // whether their locks were operations when the image was taken
  uint32_t unmodelled_count;  // after the first execution of the batch
  bool has_missed_pages;  // some execution of the batch found what another left behind, it is not
                          // known which
  ThreadId first;         // with which executions begin
  char stack[kServerStack];
};
Bench* bench;

void prepare_threads() {
  make_known_shells();
  for (uint32_t i = 0; i < segment().names.thread_count; ++i) {
    if (i == 0 || context(ThreadId(i)).has_shell) allocator_prepare(slot_of(ThreadId(i)));
  }
}

bool knows_all_threads() {
  const Segment& s = segment();
  for (uint32_t i = 1; i < s.names.thread_count; ++i) {
    if (s.places[i].start_routine != 0 && !context(ThreadId(i)).has_shell) return false;
  }
  return true;
}

// Returns when the execution has ended, or stands in its first state.
void go_on_with(ThreadId thread) {
  bench->in_execution = true;
  bench->selector = 1;
  switch_stacks(&bench->server_stack_pointer, context(thread));
  bench->selector = 0;
  bench->in_execution = false;
}

void begin_execution() {
  begin_in_this_process(bench->begins_in_first_state);
  const bool may_try = !bench->begins_in_first_state && bench->executions < kMostTries;
  if (may_try) ++bench->executions;
  bench->seeks_first_state = may_try && bench->executions > kFewExecutions;
  if (bench->seeks_first_state) note_seen_memory();
}

// False: the image is lost.
bool stay_in_first_state() {
  bench->seeks_first_state = false;
  const bool is_plain = !bench->input_read && !segment().plan.composed;
  if (!is_plain || !may_begin_here() || !save_seen_memory() || !may_take_image()) return true;
  save_beginning();
  bench->begins_in_first_state = true;
  bench->locked_streams_there = segment().control.stream_locks != 0;
  bench->first = state.current;
  return take_image();
}

// What all executions did before it would be something else.
bool has_left_first_state() {
  const Segment& s = segment();
  return bench->begins_in_first_state &&
         (s.plan.composed || (s.control.stream_locks != 0) != bench->locked_streams_there ||
          static_cast<PrivateFiles>(s.control.private_files) != PrivateFiles::None);
}

// False: there is no image to go back to.
bool run_one_execution() {
  begin_execution();
  bool good = true;
  go_on_with(bench->first);
  if (bench->stands_in_first_state) {
    bench->stands_in_first_state = false;
    good = stay_in_first_state();
    go_on_with(state.current);
  }
  return good;
}

// Whether pages that were not known were written may be asked when the batch is over: nobody sees
// its logs before. Then they must be run again, all but the first.
bool reset_memory() {
  Batch& batch = segment().batch;
  if (batch.run_count == 0) bench->unmodelled_count = segment().unmodelled_count;
  if (!segment().control.verifies_each && restore_known_pages()) {
    batch.is_unverified = 1;
    return true;
  }
  if (batch.is_unverified && has_missed_pages()) bench->has_missed_pages = true;
  return restore_image();
}

// False: there is no image to go back to.
bool verify_batch() {
  Batch& batch = segment().batch;
  if (!batch.is_unverified) return true;
  batch.is_unverified = 0;
  if (!bench->has_missed_pages && !has_missed_pages()) return true;
  bench->has_missed_pages = false;
  forget_all_but_first(segment(), batch.thread_names, batch.object_names);
  segment().unmodelled_count =
      bench->unmodelled_count;  // what the others met, they will meet again
  return restore_image();
}

// Runs on the server's own stack.
[[noreturn]] void in_place_server() {
  bool good = take_image();
  segment().control.in_place = good;
  if (!good) {  // back to where we came from: the fork server takes over
    switch_stacks(&bench->server_stack_pointer, context(kMainThread));
    __builtin_unreachable();
  }
  announce_server();
  for (;;) {
    await_run_command();
    while (begin_next_plan(segment())) {
      if (has_left_first_state()) {
        say_need_fork("something that it did before its first choice");
        keep_log(segment());
        continue;
      }
      if (!knows_all_threads()) {
        prepare_threads();
        good = take_image();
      }
      if (good) good = run_one_execution() && reset_memory();
      if (!good) say_need_fork("memory that is too much to copy");
      keep_log(segment());
      if (bench->has_missed_pages) segment().batch.is_over = 1;
    }
    if (good) good = verify_batch();
    announce_end();
  }
}

}  // namespace

bool runs_in_place() { return bench != nullptr && bench->in_execution; }

void note_program_mapping(uintptr_t start, size_t length) {
  if (runs_in_place()) note_new_mapping(start, length);
}

void note_input_read() { bench->input_read = true; }

bool input_was_read() {
  const bool was = bench->input_read;
  bench->input_read = false;
  return was;
}

SystemCallsAllowed::SystemCallsAllowed() : watched_(runs_in_place() && bench->selector == 1) {
  if (watched_) bench->selector = 0;
}
SystemCallsAllowed::~SystemCallsAllowed() {
  if (watched_) bench->selector = 1;
}

bool serve_in_place() {
  const long mapped = raw_syscall(SYS_mmap, 0, sizeof(Bench), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (raw_failed(mapped)) return false;
  bench = reinterpret_cast<Bench*>(mapped);
  bench->first = kMainThread;
  if (!dispatch_calls(&bench->selector)) return false;
  // A huge page would be written as a whole without a fault for each of its pages.
  raw_syscall(SYS_prctl, PR_SET_THP_DISABLE, 1);
  prepare_threads();
  redirect_standard_streams();
  Context server{};
  server.stack_pointer = bench->stack + kServerStack;
  server.fs_base = context(kMainThread).fs_base;
  prepare_stack(server, in_place_server);
  switch_stacks(&context(kMainThread).stack_pointer, server);
  return segment().control.in_place;
}

namespace {

void switch_to_server(void** save) {
  bench->selector = 0;
  Context server{};
  server.stack_pointer = bench->server_stack_pointer;
  server.fs_base = context(kMainThread).fs_base;
  switch_stacks(save, server);
}

}  // namespace

bool seeks_first_state() { return bench != nullptr && bench->seeks_first_state; }

void stand_in_first_state() {
  MAZURKA_CHECK(seeks_first_state());
  bench->stands_in_first_state = true;
  switch_to_server(&context(state.current).stack_pointer);
}

void return_to_server() {
  MAZURKA_CHECK(runs_in_place());
  void* nobody;
  switch_to_server(&nobody);
  __builtin_unreachable();
}

}  // namespace mazurka
