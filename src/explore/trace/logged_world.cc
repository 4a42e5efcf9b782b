#include "explore/trace/logged_world.h"

#include <algorithm>

namespace mazurka {
namespace {

bool is_there(const World& world, ThreadId id) {
  return index(id) < world.thread_limit && world.thread(id).status != ThreadStatus::Absent;
}

}  // namespace

void count_robust(World& world, const Object& before, const Object& after) {
  if (after.kind != ObjectKind::Mutex || !after.mutex.robust || !after.mutex.locked()) return;
  const ThreadId owner = after.mutex.owner;
  const bool was_owner = before.kind == ObjectKind::Mutex && before.mutex.owner == owner;
  if (is_there(world, owner) && !was_owner) ++world.thread(owner).robust_held;
}

void set_object(World& world, const ObjectSetting& setting) {
  Object& object = world.object(setting.object);
  world.object_limit = std::max(world.object_limit, index(setting.object) + 1);
  count_robust(world, object, setting.state);
  object = setting.state;
  if (object.kind == ObjectKind::Timer) world.has_timers = 1;
}

bool create_threads(World& world, const std::vector<ThreadCreation>& creations) {
  bool all = true;
  for (const ThreadCreation& creation : creations) {
    if (is_there(world, creation.created)) {
      all = false;
      continue;
    }
    world.create_thread(creation.created, creation.creator, creation.process);
  }
  return all;
}

void forget_invisible(World& world, const std::vector<ThreadCreation>& creations) {
  for (const ThreadCreation& creation : creations) {
    if (creation.forgotten) forget_child(world, creation.created);
  }
  world.created_count = 0;
  world.touched_count = 0;
}

}  // namespace mazurka
