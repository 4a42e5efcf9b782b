// Of a thread that is asleep: who has notified what it waits for, and when.
#pragma once

#include <string>

#include "sim/views/naming.h"

namespace mazurka {

// "waits to be woken", "waits to be woken; the last notify was step 12 (queue.h:22), which woke
// T0.2", and where nobody can go on any more "will never be woken: nobody has notified it".
std::string wake_history(const Run& run, uint32_t at, ThreadId thread, ObjectId object,
                         Naming& naming);

}  // namespace mazurka
