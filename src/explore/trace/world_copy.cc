#include "explore/trace/world_copy.h"

#include <algorithm>
#include <cstring>

namespace mazurka {
namespace {

// Calls f(member) for what says how much of a world is in use, and for its counters.
template <typename F>
void each_number(F&& f) {
  f(&World::moves);
  f(&World::events);
  f(&World::thread_limit);
  f(&World::object_limit);
  f(&World::undo_count);
  f(&World::message_limit);
  f(&World::file_lock_count);
  f(&World::has_timers);
  f(&World::signal_count);
  f(&World::signal_table_count);
}

// Calls f(member, count) for each array but those of objects and of parts.
template <typename F>
void each_array(const World& world, F&& f) {
  f(&World::threads, world.thread_limit);
  f(&World::processes, world.thread_limit);
  f(&World::undo, world.undo_count);
  f(&World::messages, world.message_limit);
  f(&World::file_locks, world.file_lock_count);
  f(&World::signals, world.signal_count);
  f(&World::signal_tables, world.signal_table_count);
}

void forget_threads(World& world, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    world.threads[i] = ThreadState();
    world.processes[i] = ProcessState();
  }
}

// Calls f(items, count) for all that is copied of the world, in an order that depends on its
// numbers alone.
template <typename W, typename F>
void each_piece(W& world, const std::vector<ObjectId>& objects, F&& f) {
  each_number([&](auto member) { f(&(world.*member), 1u); });
  each_array(world, [&](auto member, uint32_t count) {
    if (count > 0) f(&(world.*member)[0], count);
  });
  for (ObjectId id : objects) f(&world.object(id), 1u);
}

}  // namespace

void copy_world(const World& from, World& to, const std::vector<ObjectId>& objects) {
  forget_threads(to, from.thread_limit, to.thread_limit);
  each_number([&](auto member) { to.*member = from.*member; });
  each_array(from,
             [&](auto member, uint32_t count) { std::copy_n(from.*member, count, to.*member); });
  for (ObjectId id : objects) to.object(id) = from.object(id);
}

void WorldCopy::take(const World& world, const std::vector<ObjectId>& objects) {
  size_t size = 0;
  each_piece(world, objects,
             [&](const auto* items, uint32_t count) { size += count * sizeof *items; });
  bytes_.resize(size);
  std::byte* to = bytes_.data();
  each_piece(world, objects, [&](const auto* items, uint32_t count) {
    memcpy(to, items, count * sizeof *items);
    to += count * sizeof *items;
  });
}

void WorldCopy::put(World& world, const std::vector<ObjectId>& objects) const {
  const uint32_t thread_limit = world.thread_limit;
  const std::byte* from = bytes_.data();
  each_piece(world, objects, [&](auto* items, uint32_t count) {
    memcpy(static_cast<void*>(items), from, count * sizeof *items);
    from += count * sizeof *items;
  });
  forget_threads(world, world.thread_limit, thread_limit);
}

}  // namespace mazurka
