// What signals.cc and signal_delivery.cc share.
#pragma once

#include "kinds/signals/signals.h"

namespace mazurka {

bool handles(const SignalTable& table, int signal);
bool does_nothing(const SignalTable& table, int signal);
// The table of a process that is about to set an action.
SignalTable& own_table(World& world, ProcessId process);
// Takes it away. Requires that it is there for the thread.
void take(World& world, ThreadId thread, int signal);

}  // namespace mazurka
