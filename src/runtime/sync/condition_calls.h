// The condition behind a pthread_cond_t, and waiting on it: for the pthread and the C11 names.
#pragma once

#include <pthread.h>

#include "runtime/core/runtime.h"

namespace mazurka {

// Made on first use where the bytes are the static initialiser. Does not return if they are no
// condition.
ObjectId condition_at(pthread_cond_t* condition, Call call);

// What pthread_cond_wait and its timed forms return.
int wait_on(pthread_cond_t* condition, pthread_mutex_t* mutex, Call call);
int wait_on_until(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                  const timespec& time, Call call);

// The clock that timed waits without one of their own use.
clockid_t clock_of(const pthread_cond_t* condition);

}  // namespace mazurka
