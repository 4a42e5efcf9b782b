#include "explore/classic/enabled_without.h"

#include <algorithm>
#include <optional>

namespace mazurka {
namespace {

// What a blocking operation waits for.
struct Demand {
  ObjectId semaphore = kNoObject;
  int64_t amount = 0;
};

// Nobody waits on an object that is gone, or is none.
bool is_alive(const World& world, ObjectId id, ObjectKind kind) {
  return id != kNoObject && world.object(id).kind == kind && !world.object(id).destroyed;
}

std::optional<Demand> demand_of(const World& world, const Operation& op) {
  if (op.flags & (kTry | kTimed)) return std::nullopt;
  if (op.kind == OpKind::SemWait && is_alive(world, op.object, ObjectKind::Semaphore)) {
    return Demand{op.object, 1};
  }
  if (op.kind != OpKind::Semop || op.part_count != 1) return std::nullopt;
  if (!is_alive(world, op.object, ObjectKind::SemSet)) return std::nullopt;
  const OpPart& part = world.parts[op.part_begin];
  if (part.sem.no_wait || part.sem.delta >= 0) return std::nullopt;
  return Demand{part.object, -int64_t{part.sem.delta}};
}

// A set that is removed lets nobody wait, whatever the value.
bool concerns(const Transition& made, const Operation& pending, ObjectId semaphore) {
  return std::any_of(made.accesses.begin(), made.accesses.end(), [&](const Access& access) {
    if (access.resource == object_resource(semaphore)) return true;
    return access.resource == object_resource(pending.object) && access.mode == Mode::Write;
  });
}

// By how much the transition changed the value; nothing if that is not to be told from its log.
std::optional<int64_t> change_by(const Transition& made, ObjectId semaphore) {
  if (made.effect.misuse != Misuse::None || made.accesses_everything) return std::nullopt;
  const bool failed = made.effect.error != 0;
  if (made.op.kind == OpKind::SemPost) return failed ? 0 : 1;
  if (made.op.kind == OpKind::SemWait) return failed ? 0 : -1;
  if (made.op.kind != OpKind::Semop) return std::nullopt;
  int64_t sum = 0;
  for (const OpPart& part : made.parts) {
    if (part.sem.undo) return std::nullopt;
    if (part.object == semaphore && !failed) sum += part.sem.delta;
  }
  return sum;
}

}  // namespace

bool may_be_enabled_without(const HappensBefore& order, uint32_t event, uint32_t end,
                            const World& world, const Operation& pending) {
  const OpKind kind = order.transition(event).op.kind;
  if (kind != OpKind::SemPost && kind != OpKind::Semop) return true;
  const std::optional<Demand> demand = demand_of(world, pending);
  if (!demand) return true;
  const ObjectId semaphore = demand->semaphore;
  int64_t value = world.object(semaphore).semaphore.value;  // before the event, in the end
  int64_t added = 0;                                        // by others, which could come before it
  for (uint32_t i = end; i-- > event;) {
    const Transition& made = order.transition(i);
    if (order.touches_everything(i)) return true;
    if (!concerns(made, pending, semaphore)) continue;
    const std::optional<int64_t> change = change_by(made, semaphore);
    if (!change) return true;
    value -= *change;
    if (!order.is_before(event, i)) added += std::max<int64_t>(0, *change);
  }
  return value + added >= demand->amount;
}

}  // namespace mazurka
