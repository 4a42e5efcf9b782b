// Running a routine once: for pthread_once and for C11's call_once.
#pragma once

#include <pthread.h>

#include "runtime/core/runtime.h"

namespace mazurka {

void run_once(pthread_once_t* control, void (*routine)(), Call call);

}  // namespace mazurka
