// The models of threads and processes: join, exit, the end of a process and its wait.
#pragma once

#include "base/ids.h"
#include "objects/op_functions.h"
#include "objects/operation.h"

namespace mazurka {

struct Object;

// The whole process ends: all its threads stand at exit, what they owe is paid. No transition by
// itself.
void end_process(World& world, ProcessId process, int wait_status);

// Robust mutexes outlive who holds them: the next one is told.
bool holds_robust(const World& world, ThreadId thread, const Object& object);

namespace on_process {

EnabledFunction join_enabled, wait_child_enabled;
ApplyFunction join, thread_exit, end, fork, exec, crash, fail, wait_child;
AccessFunction join_accesses, thread_exit_accesses, end_accesses, copy_accesses, exec_accesses,
    wait_child_accesses;
MisuseFunction join_misuse;
MisuseAccessFunction join_misuse_accesses;
MentionFunction join_mentions;

}  // namespace on_process

// What a thread does without an object.
namespace on_nothing {

EnabledFunction toss_enabled, others_have_moved;
ApplyFunction none, toss, note_event;
AccessFunction event_accesses;

}  // namespace on_nothing

}  // namespace mazurka
