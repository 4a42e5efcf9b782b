// The accesses of operations on message queues and timers. A queue is one resource: each message
// changes what the next receive gets. Where two of them commute all the same in the present state,
// on_queue::commute knows.
#include "objects/asked.h"

namespace mazurka {
namespace {

// False: the process has closed it.
bool looks_at_description(const Asked& asked, AccessList& out) {
  const ProcessId process = asked.world.thread(asked.thread).process;
  out.add(hold_of(asked.op.second, process), Mode::Read);
  // A thread whose process has ended stood before it while that still held it.
  if (!asked.possible && !asked.world.object(asked.op.second).description.is_held_by(process))
    return false;
  out.add(object_resource(asked.op.second), Mode::Read);
  return true;
}

}  // namespace

namespace on_queue {
namespace {

bool is_gone(const Asked& asked) {
  return !asked.possible && asked.world.object(asked.op.object).destroyed;
}

void uses_queue(const Asked& asked, bool changes, AccessList& out) {
  // Also where it is closed: what it does is learned from what it did, and elsewhere it would have
  // looked.
  const bool is_closed = asked.op.second != kNoObject && !looks_at_description(asked, out);
  out.add(object_resource(asked.op.object), changes && !is_closed ? Mode::Write : Mode::Read);
}

}  // namespace

void transfer_accesses(const Asked& asked, AccessList& out) {
  uses_queue(asked, asked.possible || (!is_gone(asked) && queue_result(asked.world, asked.op) == 0),
             out);
}

void get_accesses(const Asked& asked, AccessList& out) { uses_queue(asked, false, out); }

void set_accesses(const Asked& asked, AccessList& out) { uses_queue(asked, !is_gone(asked), out); }

void remove_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), is_gone(asked) ? Mode::Read : Mode::Write);
  if (!is_gone(asked) && asked.op.second != kNoObject)
    out.add(object_resource(asked.op.second), Mode::Write);
}

}  // namespace on_queue

namespace on_timer {
namespace {

void uses_timer(const Asked& asked, bool changes, AccessList& out) {
  const bool is_open = looks_at_description(asked, out);
  out.add(object_resource(asked.op.object), changes && is_open ? Mode::Write : Mode::Read);
}

}  // namespace

// A read that finds that it has expired sets it anew, or not; where it may have expired or not,
// both depend on the same.
void read_accesses(const Asked& asked, AccessList& out) {
  uses_timer(asked, asked.possible || asked.world.object(asked.op.object).timer.is_set(), out);
}

void set_accesses(const Asked& asked, AccessList& out) { uses_timer(asked, true, out); }

void get_accesses(const Asked& asked, AccessList& out) { uses_timer(asked, false, out); }

}  // namespace on_timer

}  // namespace mazurka
