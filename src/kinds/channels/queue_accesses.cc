// The accesses of operations on message queues and timers. A queue is one resource: each message
// changes what the next receive gets. Where two of them commute all the same in the present state,
// commute_here.cc knows.
#include "objects/object_accesses.h"

namespace mazurka {
namespace {

bool changes_queue(const Asked& asked) {
  const Operation& op = asked.op;
  if (!asked.possible && asked.world.object(op.object).destroyed) return false;
  switch (op.kind) {
    case OpKind::QueueSend:
    case OpKind::QueueReceive:
      return asked.possible || queue_result(asked.world, op) == 0;
    case OpKind::QueueGet:
      return false;
    default:
      return true;
  }
}

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

void queue_accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  const bool removes = op.kind == OpKind::QueueRemove;
  const bool is_described = !removes && op.second != kNoObject;
  // Also where it is closed: what it does is learned from what it did, and elsewhere it would have
  // looked.
  if (is_described && !looks_at_description(asked, out))
    return out.add(object_resource(op.object), Mode::Read);
  const bool changes = changes_queue(asked);
  out.add(object_resource(op.object), changes ? Mode::Write : Mode::Read);
  if (removes && changes && op.second != kNoObject)
    out.add(object_resource(op.second), Mode::Write);
}

// A read that finds that it has expired sets it anew, or not; where it may have expired or not,
// both depend on the same.
void timer_accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  if (!looks_at_description(asked, out)) return out.add(object_resource(op.object), Mode::Read);
  const bool may_expire = asked.possible || asked.world.object(op.object).timer.is_set();
  const bool takes = op.kind == OpKind::TimerRead && may_expire;
  out.add(object_resource(op.object),
          takes || op.kind == OpKind::TimerSet ? Mode::Write : Mode::Read);
}

}  // namespace mazurka
