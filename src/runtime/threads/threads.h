// The threads of this process, by the handles that the program knows.
#pragma once

#include <pthread.h>

#include "runtime/core/state.h"

namespace mazurka {

// kNoThread: no thread of this process has it.
ThreadId thread_of_handle(pthread_t handle);

// What pthread_join and its try and timed forms return (kTry, kTimed with its deadline).
int join_thread(pthread_t handle, void** result, uint8_t flags, int64_t deadline_ns,
                const Call& call);

// The thread's own code is over: destructors run, then it stands at exit.
[[noreturn]] void finish_thread();

// Destructors of thread_local variables of the current thread, latest first.
void run_thread_local_destructors();

}  // namespace mazurka
