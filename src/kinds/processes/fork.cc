// What fork does to the objects in private memory: the child gets a copy of each.
#include "objects/world.h"

namespace mazurka {
namespace {

// What the forking thread held its copy in the child holds. What other threads held stays locked
// for ever: they do not exist there.
void copy_owner(World& world, Mutex& mutex, ThreadId forking, ThreadId child) {
  if (mutex.owner != forking) return;
  mutex.owner = child;
  if (mutex.robust) ++world.thread(child).robust_held;
}

void copy_owners(RwLock& lock, ThreadId forking, ThreadId child) {
  if (lock.writer == forking) lock.writer = child;
  for (uint32_t i = 0; i < lock.known_readers; ++i) {
    if (lock.readers[i].thread == forking) lock.readers[i].thread = child;
  }
}

// glibc notices that a once was begun before the fork by a thread that is gone, and begins again.
void copy_runner(Once& once, ThreadId forking, ThreadId child) {
  if (once.state != Once::State::Running) return;
  if (once.runner == forking) {
    once.runner = child;
    return;
  }
  once = Once();
}

}  // namespace

void copy_for_fork(World& world, ObjectId from, ObjectId to, ThreadId forking, ThreadId child) {
  world.create_object(to, world.object(from).kind, child);
  Object& copy = world.object(to);
  copy = world.object(from);
  copy.process = child;
  if (copy.kind == ObjectKind::Mutex) copy_owner(world, copy.mutex, forking, child);
  if (copy.kind == ObjectKind::RwLock) copy_owners(copy.rwlock, forking, child);
  if (copy.kind == ObjectKind::Once) copy_runner(copy.once, forking, child);
}

}  // namespace mazurka
