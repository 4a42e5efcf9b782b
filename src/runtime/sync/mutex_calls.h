// The mutex behind a pthread_mutex_t; condition waits need it, too.
#pragma once

#include <pthread.h>

#include "runtime/core/runtime.h"

namespace mazurka {

// Made on first use where the bytes are a static initialiser. Does not return if they are no mutex.
ObjectId mutex_at(pthread_mutex_t* mutex, Call call);

// The deadline of a timed call on the virtual clock.
int64_t deadline_of(int clock, const struct timespec& time);
bool is_valid(const struct timespec& time);

}  // namespace mazurka
