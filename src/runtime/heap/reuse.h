// What a thread gives back and another may get, as natively (--reuse): heap blocks and pthread_t
// values. Without that option they never come to another thread, so that addresses do not depend on
// the schedule. With it, whether a thread gets something that was given back is a choice, and who
// could notice which of two such calls came first are operations on variables of ours: one for the
// blocks of each size class, one for pthread_t. So no model knows of it.
#pragma once

#include <pthread.h>

#include <cstddef>

#include "runtime/core/runtime.h"

namespace mazurka {

// --reuse, or it is not known yet whether the option would matter. Read by each call of the
// allocator.
extern bool reuse_is_watched;

// An execution begins.
void begin_reuse();

// A block of this size that was given back, if the current thread gets one; nullptr: a new one.
void* take_reused_block(size_t size, const void* caller);
// The current thread is about to free it; it is valid.
void give_back_block(void* block, const void* caller);

// The same for pthread_t: the thread is about to begin.
void take_reused_handle(ThreadId child, const Call& call);
void give_back_handle(pthread_t handle, const Call& call);
// The program has asked who it is.
void note_handle_asked();

}  // namespace mazurka
