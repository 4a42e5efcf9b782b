// The models of threads and processes: join, exit, the end of a process and its wait.
#pragma once

#include "base/ids.h"
#include "objects/operation.h"

namespace mazurka {

struct World;
struct Outcomes;

Outcomes process_enabled(const World& world, ThreadId thread, const Operation& op);
Effect process_apply(World& world, ThreadId thread, const Operation& op, Outcome outcome);

// The whole process ends: all its threads stand at exit, what they owe is paid. No transition by
// itself.
void end_process(World& world, ProcessId process, int wait_status);

}  // namespace mazurka
