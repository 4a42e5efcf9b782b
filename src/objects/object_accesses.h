// The accesses of operations on communication objects: the part of objects/accesses.h that looks
// into the objects.
#pragma once

#include "objects/accesses.h"

namespace mazurka {

struct Asked {
  const World& world;
  ThreadId thread;
  const Operation& op;
  Outcome outcome;
  bool possible;  // all that it may do (possible_accesses), not what it does here
};

// Adds nothing for operations that are on no object. Requires that it is no misuse here.
void object_accesses(const Asked& asked, AccessList& out);

// Those of channels and descriptions (channel_accesses.cc), and of sockets with names
// (socket_accesses.cc).
void channel_accesses(const Asked& asked, AccessList& out);
void description_accesses(const Asked& asked, AccessList& out);
void socket_accesses(const Asked& asked, AccessList& out);
void fifo_accesses(const Asked& asked, AccessList& out);
// What the end of the process adds: it closes all that it holds.
void closes_descriptions(const World& world, ProcessId process, AccessList& out);
// Whether this process holds the description.
Resource hold_of(ObjectId description, ProcessId process);

// Those of message queues and timers (queue_accesses.cc).
void queue_accesses(const Asked& asked, AccessList& out);
void timer_accesses(const Asked& asked, AccessList& out);

// Those of the locks of files (file_lock_accesses.cc).
void file_lock_accesses(const Asked& asked, AccessList& out);
void close_file_accesses(const World& world, ProcessId process, ObjectId description,
                         AccessList& out);
// What the end of the process adds: its records go, also on files that it holds no description of.
void gives_up_records(const World& world, ProcessId process, AccessList& out);

// Those of files on disk (file_use_accesses.cc).
void file_use_accesses(const Asked& asked, AccessList& out);
// What a part may do to what it names, whatever state that is in. Requires that it is not about
// what is behind a name.
void possible_part_accesses(const SemPart& part, ProcessId process, AccessList& out);

// Those of signals (signal_accesses.cc).
void signal_accesses(const Asked& asked, AccessList& out);
// What taking one of these signals adds to what the operation may do.
void delivery_accesses(const Asked& asked, uint64_t signals, AccessList& out);
// What the end of the process adds: its parent may get a signal.
void tells_parent(const World& world, ProcessId ended, AccessList& out);
// What a signal adds that ends the process (accesses.cc).
void signal_ends_process(const World& world, ThreadId thread, AccessList& out);

}  // namespace mazurka
