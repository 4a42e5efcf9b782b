// Opening a path that is, or may become, a FIFO.
#pragma once

#include "runtime/core/runtime.h"

namespace mazurka {

// Opens the path if it is a FIFO. False: it is none, and `open` is the kernel's business. Otherwise
// `result` is the descriptor, or a negated errno value.
bool open_fifo(int directory, const char* path, int flags, long& result, Call call);

}  // namespace mazurka
