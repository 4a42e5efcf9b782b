#include "kinds/processes/generator.h"

#include "objects/asked.h"
#include "objects/clock.h"
#include "objects/state_sink.h"

namespace mazurka::on_generator {

Effect draw(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  return {.value = static_cast<int64_t>(object.generator.drawn++)};
}

Effect seed(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  see_and_show(world.thread(thread), object);
  object.generator = {.seed = op.value};
  return {};
}

// Two seeds do not commute either: the last one counts.
void accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
}

void state(const World& world, ObjectId id, StateSink& sink) {
  const Generator& generator = world.object(id).generator;
  sink.add({generator.seed, static_cast<int64_t>(generator.drawn)});
}

}  // namespace mazurka::on_generator
