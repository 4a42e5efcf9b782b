#include "kinds/processes/named.h"

#include <errno.h>

#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/state_sink.h"

namespace mazurka {
namespace on_name {

Effect open(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  see(world.thread(thread), object);
  Named& name = object.named;
  if (name.exists) {
    const bool must_be_new = (op.value & kCreate) && (op.value & kExclusive);
    return {.error = must_be_new ? EEXIST : 0};
  }
  if (!(op.value & kCreate)) return {.error = ENOENT};
  name.exists = true;
  ++name.generation;
  name.target = op.second;
  name.value = 0;
  show(world.thread(thread), object);
  return {.value = 1};
}

Effect unlink(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  see(world.thread(thread), object);
  if (!object.named.exists) return {.error = ENOENT};
  object.named.exists = false;
  object.named.target = kNoObject;
  show(world.thread(thread), object);
  return {};
}

void open_accesses(const Asked& asked, AccessList& out) {
  const bool exists = asked.world.object(asked.op.object).named.exists;
  const bool makes = (asked.op.value & kCreate) && (asked.possible || !exists);
  out.add(object_resource(asked.op.object), makes ? Mode::Write : Mode::Read);
}

void unlink_accesses(const Asked& asked, AccessList& out) {
  const bool removes = asked.possible || asked.world.object(asked.op.object).named.exists;
  out.add(object_resource(asked.op.object), removes ? Mode::Write : Mode::Read);
}

void state(const World& world, ObjectId id, StateSink& sink) {
  const Named& named = world.object(id).named;
  sink.add({named.exists, named.generation, index(named.target), named.value});
}

}  // namespace on_name

}  // namespace mazurka
