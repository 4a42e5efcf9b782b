// The semaphore behind a sem_t; sem_open makes such bytes, too.
#pragma once

#include <semaphore.h>

#include "runtime/core/runtime.h"

namespace mazurka {

// Does not return if the bytes are no semaphore.
ObjectId semaphore_at(sem_t* semaphore, Call call);

}  // namespace mazurka
