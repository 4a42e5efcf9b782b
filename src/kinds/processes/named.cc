#include "kinds/processes/named.h"

#include <errno.h>

#include "objects/clock.h"

namespace mazurka {
namespace {

Effect apply_open(World& world, ThreadId thread, const Operation& op) {
  Object& object = world.object(op.object);
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

Effect apply_unlink(World& world, ThreadId thread, const Operation& op) {
  Object& object = world.object(op.object);
  if (!object.named.exists) return {.error = ENOENT};
  object.named.exists = false;
  object.named.target = kNoObject;
  show(world.thread(thread), object);
  return {};
}

}  // namespace

Outcomes named_enabled(const World&, ThreadId, const Operation&) { return Outcomes::one(); }

Effect named_apply(World& world, ThreadId thread, const Operation& op) {
  see(world.thread(thread), world.object(op.object));
  return op.kind == OpKind::NameOpen ? apply_open(world, thread, op)
                                     : apply_unlink(world, thread, op);
}

}  // namespace mazurka
