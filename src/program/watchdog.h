// Waits for an execution's end, and ends it when the program does not come to a visible operation
// any more.
#pragma once

#include "execution/execution.h"
#include "program/launcher.h"
#include "protocol/segment.h"

namespace mazurka {

enum class Watched {
  Ended,       // by itself
  Divergence,  // invisible code ran for too long: stopped
  Hung,        // blocked in the kernel for too long: stopped
  ServerLost,  // nobody is there any more
  Stopped,     // the search must stop: so must this
};

// Requires that a plan runs, and that `done` is the value of Control::done before it was sent.
// `stop` may be null.
Watched await_execution(Segment& segment, Server& server, uint32_t done, double divergence_s,
                        const Stop* stop);

}  // namespace mazurka
