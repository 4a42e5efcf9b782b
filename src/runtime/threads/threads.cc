// pthread_create, join, exit and their relatives.
#include "runtime/threads/threads.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "protocol/names.h"
#include "runtime/accesses/ended_stacks.h"
#include "runtime/accesses/race_clocks.h"
#include "runtime/accesses/seen_memory.h"
#include "runtime/core/crash.h"
#include "runtime/core/hot.h"
#include "runtime/core/limits.h"
#include "runtime/core/raw.h"
#include "runtime/core/reach.h"
#include "runtime/core/state.h"
#include "runtime/heap/allocator.h"
#include "runtime/heap/reuse.h"
#include "runtime/patches/unseen_stores.h"
#include "runtime/reset/server.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/sync/mutex_calls.h"
#include "runtime/syscalls/watched_calls.h"
#include "runtime/threads/fiber.h"
#include "runtime/threads/unwind.h"

namespace mazurka {

struct ThreadLocalDestructor {
  void (*function)(void*);
  void* object;
  ThreadLocalDestructor* next;
};

namespace {

struct Key {
  bool used;
  void (*destructor)(void*);
};
Key keys[PTHREAD_KEYS_MAX];
pthread_key_t key_limit;  // every key in use is below it

void run_key_destructors() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (pthread_key_t key = 0; key < key_limit; ++key) {
      if (!keys[key].used || keys[key].destructor == nullptr) continue;
      void* value = pthread_getspecific(key);
      if (value == nullptr) continue;
      any = true;
      pthread_setspecific(key, nullptr);
      keys[key].destructor(value);
    }
    if (!any) return;
  }
}

[[noreturn]] void fiber_main() {
  Context& self = context(state.current);
  self.first_frame = __builtin_frame_address(0);
  self.result = self.start(self.argument);
  finish_thread();
}

// With kernel threads the real start routine: waits for its turn, and never comes back.
void* kernel_thread_main(void* argument) {
  auto* self = static_cast<Context*>(argument);
  while (__atomic_load_n(&self->turn, __ATOMIC_ACQUIRE) == 0)
    raw_syscall(SYS_futex, address_of(&self->turn), 0, 0);
  __atomic_store_n(&self->turn, 0, __ATOMIC_RELAXED);
  if (!segment().control.direct) make_signal_stack();
  watch_calls_of_new_thread();
  fiber_main();
}

int carry(ThreadId id, const pthread_attr_t* attributes) {
  Context& self = context(id);
  if (state.carrier == Carrier::Fibers) {
    if (const int error = make_shell(id, attributes); error != 0) return error;
    prepare_fiber(id, fiber_main);
    return 0;
  }
  RuntimeHeap own;
  OwnCalls calls;
  const int error = REAL(pthread_create)(&self.handle, attributes, kernel_thread_main, &self);
  return error == EAGAIN ? out_of_threads(error) : error;
}

}  // namespace

int join_thread(pthread_t handle, void** result, uint8_t flags, int64_t deadline_ns,
                const Call& call) {
  const ThreadId target = thread_of_handle(handle);
  if (target == kNoThread) misuse(Misuse::BadThread, call);
  Operation op{.kind = OpKind::Join, .flags = flags, .target = target};
  op.deadline_ns = deadline_ns;
  const Effect effect = reach(op, call);
  if (effect.error == 0 && result != nullptr) *result = context(target).result;
  if (effect.error == 0 && reuse_is_watched) give_back_handle(handle, call);
  return effect.error;
}

ThreadId next_child() {
  const ThreadId child =
      intern_thread(segment().names, state.current, world().thread(state.current).children + 1);
  if (child == kNoThread)
    limit_reached("more threads and processes than Mazurka can name (1024 in one search)");
  return child;
}

// Threads are mostly joined one after another, so the next one is looked at first.
ThreadId thread_of_handle(pthread_t handle) {
  MAZURKA_HOT(2) static uint32_t next;
  const uint32_t count = world().thread_limit;
  for (uint32_t tried = 0; tried < count; ++tried, ++next) {
    if (next >= count) next = 0;
    const ThreadState& thread = world().threads[next];
    if (thread.status == ThreadStatus::Absent || thread.process != state.process) continue;
    if (context(ThreadId(next)).handle == handle) return ThreadId(next++);
  }
  return kNoThread;
}

void run_thread_local_destructors() {
  Context& self = context(state.current);
  while (self.destructors != nullptr) {
    ThreadLocalDestructor* first = self.destructors;
    self.destructors = first->next;
    first->function(first->object);
    heap_free(first);
  }
}

void finish_thread() {
  if (handles_signals()) stand_where_signals_come({});
  run_thread_local_destructors();
  run_key_destructors();
  if (watched_word_count != 0) make_unseen_stores_visible({});
  if (memory_is_seen()) end_stack();
  const ThreadId me = state.current;
  // The last thread's end is the end of its process, with all that exit does.
  if (thread_exit_is_noticed(world(), me)) {
    if (reach({.kind = OpKind::ThreadExit}, {}).value != 0) exit(0);
  } else {
    if (world().process(state.process).live_threads == 1) {
      if (memory_is_seen()) order_last_thread(me);
      exit(0);
    }
    stand_at_exit(world(), me, 0);
  }
  leave_for_good(me);
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                  void* (*start)(void*), void* argument) {
  if (!attached()) return REAL(pthread_create)(handle, attributes, start, argument);
  begin_executions();
  if (watched_word_count != 0) make_unseen_stores_visible(MAZURKA_HERE);
  const ThreadId me = state.current;
  const ThreadId child = next_child();
  Context& self = context(child);
  self.start = start;
  self.argument = argument;
  if (const int error = carry(child, attributes); error != 0) return error;
  if (reuse_is_watched) take_reused_handle(child, MAZURKA_HERE);
  world().create_thread(child, me, state.process);
  int detach_state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detach_state);
  world().thread(child).detached = detach_state == PTHREAD_CREATE_DETACHED;
  place(child).start_routine = reinterpret_cast<uint64_t>(start);
  place(child).pc = reinterpret_cast<uint64_t>(start);
  *handle = self.handle;
  run_until_first_operation(me, child);
  return 0;
}

MAZURKA_EXPORT int pthread_join(pthread_t handle, void** result) {
  if (!attached()) return REAL(pthread_join)(handle, result);
  return join_thread(handle, result, 0, 0, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) {
  if (!attached()) return REAL(pthread_tryjoin_np)(handle, result);
  return join_thread(handle, result, kTry, 0, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* time) {
  if (!attached()) return REAL(pthread_timedjoin_np)(handle, result, time);
  if (time == nullptr) return join_thread(handle, result, 0, 0, MAZURKA_HERE);
  if (!is_valid(*time)) return EINVAL;
  return join_thread(handle, result, kTimed, deadline_of(CLOCK_REALTIME, *time), MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                        const timespec* time) {
  if (!attached()) return REAL(pthread_clockjoin_np)(handle, result, clock, time);
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  if (time == nullptr) return join_thread(handle, result, 0, 0, MAZURKA_HERE);
  if (!is_valid(*time)) return EINVAL;
  return join_thread(handle, result, kTimed, deadline_of(clock, *time), MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_detach(pthread_t handle) {
  if (!attached()) return REAL(pthread_detach)(handle);
  const ThreadId target = thread_of_handle(handle);
  if (target == kNoThread) misuse(Misuse::BadThread, MAZURKA_HERE);
  ThreadState& thread = world().thread(target);
  if (thread.detached || thread.joined) misuse(Misuse::JoinTwice, MAZURKA_HERE);
  thread.detached = true;
  return 0;
}

MAZURKA_EXPORT void pthread_exit(void* result) {
  if (!attached()) REAL(pthread_exit)(result);
  context(state.current).result = result;
  unwind_thread(finish_thread);
}

MAZURKA_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  const int error = REAL(pthread_key_create)(key, nullptr);
  if (!attached())
    return error != 0 ? error
                      : (REAL(pthread_key_delete)(*key), REAL(pthread_key_create)(key, destructor));
  if (error != 0 || *key >= PTHREAD_KEYS_MAX) return error;
  keys[*key] = {true, destructor};
  if (key_limit <= *key) key_limit = *key + 1;
  return error;
}

MAZURKA_EXPORT int pthread_key_delete(pthread_key_t key) {
  if (attached() && key < PTHREAD_KEYS_MAX) keys[key] = {};
  return REAL(pthread_key_delete)(key);
}

MAZURKA_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) {
  if (!attached()) return REAL(pthread_getattr_np)(handle, attributes);
  const ThreadId id = thread_of_handle(handle);
  if (id == kNoThread) return ESRCH;
  const Context& self = context(id);
  if (self.stack_low == nullptr) return REAL(pthread_getattr_np)(handle, attributes);
  if (const int error = pthread_attr_init(attributes); error != 0) return error;
  pthread_attr_setdetachstate(
      attributes, world().thread(id).detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  return pthread_attr_setstack(attributes, self.stack_low, self.stack_size);
}

// With --reuse it may be that of a thread that was joined. pthread_self itself is a load.
MAZURKA_EXPORT pthread_t pthread_self() {
  if (!reuse_is_watched || !state.scheduling) return own_handle();
  note_handle_asked();
  return context(state.current).handle;
}

extern "C" int __cxa_thread_atexit_impl(void (*)(void*), void*, void*);

MAZURKA_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* module) {
  if (!attached()) return REAL(__cxa_thread_atexit_impl)(function, object, module);
  auto* added = static_cast<ThreadLocalDestructor*>(heap_allocate(sizeof(ThreadLocalDestructor)));
  if (added == nullptr) return ENOMEM;
  Context& self = context(state.current);
  *added = {function, object, self.destructors};
  self.destructors = added;
  return 0;
}
