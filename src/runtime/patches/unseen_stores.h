// Words that locked instructions of several threads use. A plain store into one of them, such as
// the release of a spin lock, goes past us. That it was made shows when its thread comes to us the
// next time: the memory holds something else than the model. Nobody else has moved since, so the
// old value is put back, and the thread stands before an operation that stores the new one: as if
// it had been made that late. The thread itself has gone on with the new value, as it does on a
// processor whose stores wait in a buffer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/runtime.h"

namespace mazurka {

// How many words are watched. To be asked first: most programs have none.
extern uint32_t watched_word_count;

// The current thread does a locked instruction on this variable.
void watch_word(ObjectId variable, const uint8_t* address, uint8_t size);

// A loop of the current thread, whose look is at `pc`, has read this word. The variable that it is
// from now on.
ObjectId watch_word_of_loop(const uint8_t* address, uint8_t size, uint64_t pc);

// The current thread has come to us, and nobody else has moved since it left. Others may move
// before this returns. What lies on its own stack may be dead, so it is not put back: that is as
// below.
void make_unseen_stores_visible(const Call& call);

// The same where the thread cannot stand before an operation: the model is told, so that who waits
// in a loop for the change goes on, and the report names it, since the orders in which it may
// happen are not explored.
void name_unseen_stores(const Call& call);

// The memory is not in use any more.
void forget_words(const void* begin, size_t size);

}  // namespace mazurka
