// The question that a model answers with the accesses of one of its operations (OpRow::accesses).
#pragma once

#include "objects/accesses.h"

namespace mazurka {

struct Asked {
  const World& world;
  ThreadId thread;
  const Operation& op;
  Outcome outcome;
  bool possible;  // all that it may do (possible_accesses), not what it does here

  ProcessId process() const { return world.thread(thread).process; }
  const OpPart& part(uint32_t i) const { return world.parts[op.part_begin + i]; }
};

// --- what the end of a process adds to whatever ends it; each beside the model of what it ends

// It closes all that it holds (kinds/channels).
void closes_descriptions(const World& world, ProcessId process, AccessList& out);
// Its records go, also on files that it holds no description of (kinds/files).
void gives_up_records(const World& world, ProcessId process, AccessList& out);
// Its parent may get a signal (kinds/signals).
void tells_parent(const World& world, ProcessId ended, AccessList& out);
// What SEM_UNDO owes is paid (kinds/sync).
void pays_undo(const World& world, ProcessId process, AccessList& out);
// All of that, and its threads are gone (kinds/processes).
void ends_process(const World& world, ThreadId thread, AccessList& out);
void ends_threads(const World& world, ThreadId thread, AccessList& out);

// --- of several kinds

// Whether this process holds the description.
Resource hold_of(ObjectId description, ProcessId process);
void close_file_accesses(const World& world, ProcessId process, ObjectId description,
                         AccessList& out);
// What a part of a FileUse may do to what it names, whatever state that is in. Requires that it is
// not about what is behind a name.
void possible_part_accesses(const OpPart& part, ProcessId process, AccessList& out);
// What taking one of these signals adds to what the operation may do.
void delivery_accesses(const Asked& asked, uint64_t signals, AccessList& out);
// It copies what the other threads of the process did.
void fork_accesses(ProcessId parent, AccessList& out);

}  // namespace mazurka
