// Lamport clocks and wake-ups, for the models. Virtual time follows the flow of information and
// nothing else: what commutes must not see each other's time, or a program that reads the clock
// would tell equivalent schedules apart.
//   changes the object (W): see it, then show it     only reads it (R): see it     only adds to it
//   (P): show it
#pragma once

#include "objects/world.h"

namespace mazurka {

inline constexpr int64_t kTickNs = 1000;  // of each operation

// What every transition does to its thread; but see apply for waits for others and signals.
inline void begin_transition(World& world, ThreadState& thread) {
  thread.status = ThreadStatus::Running;
  thread.clock_ns += kTickNs;
  ++thread.transitions;
  thread.waiting_since = ++world.moves;
  thread.repeated_waits = 0;
}

inline void see(ThreadState& thread, int64_t clock_ns) {
  if (thread.clock_ns < clock_ns + kTickNs) thread.clock_ns = clock_ns + kTickNs;
}
inline void see(ThreadState& thread, const Object& object) { see(thread, object.clock_ns); }

inline void show(const ThreadState& thread, int64_t& clock_ns) {
  if (clock_ns < thread.clock_ns) clock_ns = thread.clock_ns;
}
inline void show(const ThreadState& thread, Object& object) { show(thread, object.clock_ns); }

inline void see_and_show(ThreadState& thread, Object& object) {
  see(thread, object);
  show(thread, object);
}

// A wait that gave up: it is the deadline now, if it was not later already.
inline void jump_to(ThreadState& thread, int64_t deadline_ns) {
  if (thread.clock_ns < deadline_ns) thread.clock_ns = deadline_ns;
}

inline void start_waiting(ThreadState& thread, ObjectId object) {
  thread.waiting_on = object;
  thread.woken = false;
}
inline void stop_waiting(ThreadState& thread) {
  thread.waiting_on = kNoObject;
  thread.woken = false;
}

// Requires that `waiter` waits.
inline void wake(World& world, ThreadId waker, ThreadId waiter) {
  ThreadState& woken = world.thread(waiter);
  woken.woken = true;
  show(world.thread(waker), woken.clock_ns);
}

inline bool has_waiters(const World& world, ObjectId object) {
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    if (world.waits_on(ThreadId(i), object)) return true;
  }
  return false;
}

}  // namespace mazurka
