// Threads as fibers on the one kernel thread of their process. Each borrows stack, TCB and TLS of a
// real thread that has left (a *shell*), so thread_local, errno, pthread_self and exceptions work
// as ever, and fork copies them all.
#pragma once

#include "runtime/core/state.h"

namespace mazurka {

// Where the stacks lie: each thread's at an address that follows from its slot. Some pages more
// than a round number, so that their pages do not all compete for the same few places of the
// processor's caches.
inline constexpr uintptr_t kStackBase = 0x6000'0000'0000;
inline constexpr uintptr_t kStackStride = 0x1000'9000;
inline constexpr size_t kStackSize = 8u << 20;
inline constexpr size_t kStackGuard = 1u << 16;

// The kernel thread's own pthread_t, whatever the program is told (heap/reuse.h).
inline pthread_t own_handle() {
  pthread_t own;
  asm("mov %%fs:0x10, %0" : "=r"(own));
  return own;
}

// Makes stack, TCB and TLS for this thread, if it has none yet. `attributes` as pthread_create has
// them, or null. Returns an errno value.
int make_shell(ThreadId id, const pthread_attr_t* attributes);

// Of a thread that the system refused, with this errno value. In an execution that is the machine's
// trouble, which ends it: the program must not be blamed for what it does about it. Before one, it
// returns the value, and the executions try again.
int out_of_threads(int error);

// The next switch to this thread calls `entry`, which must not return.
void prepare_fiber(ThreadId id, void (*entry)());

// The same for any stack: `stack.stack_pointer` is its top.
void prepare_stack(Context& stack, void (*entry)());

// Goes on where `to` stopped, with its TLS; `save` gets where we stop.
void switch_stacks(void** save, const Context& to);

// Goes on with `to`; returns when somebody switches back.
void switch_fiber(ThreadId from, ThreadId to);

}  // namespace mazurka
