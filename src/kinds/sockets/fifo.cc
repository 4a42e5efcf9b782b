// FIFOs: a path that leads to a channel. Opening for reading waits until somebody has opened it for
// writing since, and the other way round (fs/pipe.c): the one who waits counts as a reader or
// writer already.
#include <errno.h>

#include "kinds/sockets/socket.h"
#include "objects/asked.h"
#include "objects/clock.h"

namespace mazurka {

ObjectId fifo_at(const World& world, const Operation& op) {
  if (op.desired & kIsReal) return ObjectId{static_cast<uint32_t>(op.desired >> 8)};
  return world.object(op.object).address.fifo;
}

namespace on_fifo {
namespace {

void join(World& world, ThreadId thread, const Operation& op, ObjectId id) {
  Channel& channel = world.object(id).channel;
  Description& description = world.object(op.second).description;
  if (op.value & kOpensToRead) {
    description.reads = id;
    ++channel.readers;
    ++channel.reader_opens;
  }
  if (op.value & kOpensToWrite) {
    description.writes = id;
    ++channel.writers;
    ++channel.writer_opens;
  }
  description.add_holder(world.thread(thread).process);
}

// How often the other side has been opened.
uint16_t opens_of_other(const World& world, const Operation& op) {
  const Channel& channel = world.object(op.object).channel;
  return world.object(op.second).description.writes == kNoObject ? channel.writer_opens
                                                                 : channel.reader_opens;
}

}  // namespace

Effect make(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  see(world.thread(thread), object);
  if (object.address.is_file) return {.error = EEXIST};
  object.address.is_file = true;
  object.address.fifo = op.second;
  object.address.mode = static_cast<uint16_t>(op.value);
  show(world.thread(thread), object);
  return {};
}

Effect open(World& world, ThreadId thread, const Operation& op, Outcome) {
  ThreadState& me = world.thread(thread);
  see(me, world.object(op.object));
  const ObjectId id = fifo_at(world, op);
  if (id == kNoObject) return {.error = world.object(op.object).address.is_file ? ENXIO : ENOENT};
  Object& object = world.object(id);
  Channel& channel = object.channel;
  see(me, object);
  see(me, channel.readers_clock_ns);
  see(me, channel.writers_clock_ns);
  const bool at_once = (op.value & kOpensAtOnce) != 0;
  const bool reads = (op.value & kOpensToRead) != 0;
  const bool writes = (op.value & kOpensToWrite) != 0;
  if (writes && !reads && at_once && channel.readers == 0) return {.error = ENXIO};
  join(world, thread, op, id);
  show(me, object);
  show(me, channel.readers_clock_ns);
  show(me, channel.writers_clock_ns);
  const bool waits =
      !at_once && reads != writes && (reads ? channel.writers : channel.readers) == 0;
  return {.value = waits};
}

Outcomes wait_enabled(const World& world, ThreadId, const Operation& op) {
  return opens_of_other(world, op) == op.value ? Outcomes::none() : Outcomes::one();
}

Effect wait(World& world, ThreadId thread, const Operation& op, Outcome) {
  const Channel& channel = world.object(op.object).channel;
  const bool waits_for_writer = world.object(op.second).description.writes == kNoObject;
  see(world.thread(thread), waits_for_writer ? channel.writers_clock_ns : channel.readers_clock_ns);
  return {};
}

// --- accesses

void make_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Write);
}

// Opening changes who can read and write, and how often that was so.
void open_accesses(const Asked& asked, AccessList& out) {
  out.add(object_resource(asked.op.object), Mode::Read);
  const ObjectId channel = fifo_at(asked.world, asked.op);
  if (channel == kNoObject) return;
  constexpr uint8_t kParts[] = {kWhole, kReadEnds, kWriteEnds};
  for (const uint8_t part : kParts) out.add(object_resource(channel, part), Mode::Write);
  out.add(process_resource(asked.process(), kNumbers), Mode::Write);
}

void wait_accesses(const Asked& asked, AccessList& out) {
  const Operation& op = asked.op;
  const bool waits_for_writer = asked.world.object(op.second).description.writes == kNoObject;
  out.add(object_resource(op.object, waits_for_writer ? kWriteEnds : kReadEnds), Mode::Read);
}

}  // namespace on_fifo

}  // namespace mazurka
