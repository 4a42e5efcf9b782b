// The baton: exactly one thread of the whole program runs, and says who is next. Within a process
// it goes from fiber to fiber, or from kernel thread to kernel thread; between processes by a futex
// in the shared segment.
#pragma once

#include "base/ids.h"

namespace mazurka {

// `from` stops here; `to` goes on, in this process or another. Returns when `from` is handed the
// baton again. Requires that `from` is the current thread, and another one than `to`.
void hand_over(ThreadId from, ThreadId to);
// The same, from a process that is about to vanish: returns at once. Requires that `to` belongs to
// another process.
void give_away(ThreadId to);
// A process's first wait, right after fork.
void await_first_baton();

}  // namespace mazurka
