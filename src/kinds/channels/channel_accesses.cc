// The accesses of operations on channels and descriptions. A channel has three resources: what is
// in it, who could still read it, who could still write it. Closing only adds to the last two, so
// closes commute: the usual closing of unused ends after a fork costs no orders. Who finds a
// channel empty, broken or at its end looks at them.
#include <errno.h>
#include <poll.h>

#include <initializer_list>

#include "objects/asked.h"

namespace mazurka {

// Two processes may have the same part: that costs time, no more. Searches keep tables by parts
// (kMaxResourceParts).
Resource hold_of(ObjectId description, ProcessId process) {
  constexpr uint32_t kParts = 4;
  return object_resource(description, static_cast<uint8_t>(kHolds + index(process) % kParts));
}

namespace {

bool is_counter(const Channel& channel) { return channel.form == Channel::Form::Counter; }

void looks_at_ends(const Channel& channel, ObjectId id, uint8_t part, Mode mode, AccessList& out) {
  if (!is_counter(channel))
    out.add(object_resource(id, part), mode);  // whoever uses a counter could do both
}

void transfer_read(const Asked& asked, const Channel& channel, AccessList& out) {
  const ObjectId id = asked.op.object;
  if (asked.op.value == 0 && channel.form != Channel::Form::Messages) return;
  const bool peeks = (asked.op.flags & kPeek) != 0;
  const bool is_message = channel.form == Channel::Form::Messages;
  const bool finds = !channel.is_empty() && !(is_message && channel.reset);
  const bool takes = (asked.possible || finds) && !peeks;
  out.add(object_resource(id), takes ? Mode::Write : Mode::Read);
  if (!asked.possible && finds && !is_message) return;
  // The error of a reset is told once; to those who read messages before they get more of them.
  const bool resets = asked.possible ? channel.is_socket : channel.reset;
  looks_at_ends(channel, id, kWriteEnds, resets ? Mode::Write : Mode::Read, out);
}

Mode successful_write_mode(const Channel& channel, int64_t value) {
  constexpr int64_t kFarFromLimit = kMostCounted / kMaxThreads / 2;
  const bool commutes =
      is_counter(channel) && channel.count < kFarFromLimit && value < kFarFromLimit;
  return commutes ? Mode::Add : Mode::Write;
}

// Of a socket for messages, and of TCP, a write looks whether the peer has closed its own before it
// had read everything, and that is told once. Returns whether it is told now.
bool is_told_of_reset(const Asked& asked, const Channel& channel, AccessList& out) {
  const ObjectId in = asked.world.object(asked.op.second).description.reads;
  const bool looks = channel.form == Channel::Form::Messages || channel.is_internet;
  if (!looks || channel.never_ends || in == kNoObject) return false;
  const bool is_reset = asked.world.object(in).channel.reset;
  out.add(object_resource(in, kWriteEnds), is_reset || asked.possible ? Mode::Write : Mode::Read);
  return is_reset;
}

void transfer_write(const Asked& asked, const Channel& channel, AccessList& out) {
  const ObjectId id = asked.op.object;
  if (asked.op.value == 0 && channel.form != Channel::Form::Messages && !channel.is_socket) return;
  const bool is_told = is_told_of_reset(asked, channel, out);
  const bool fails =
      ((channel.is_broken() && !channel.loses_write()) || is_told) && !asked.possible;
  looks_at_ends(channel, id, kReadEnds, Mode::Read, out);
  // Also where it fails: what it does is learned from what it did, and elsewhere it would have
  // written.
  if (fails) return out.add(object_resource(id), Mode::Read);
  int64_t moved = 0;
  const int result = channel_result(asked.world, asked.thread, asked.op, moved);
  const bool writes = asked.possible || result == 0;
  out.add(object_resource(id),
          writes ? successful_write_mode(channel, asked.op.value) : Mode::Read);
}

// Who waits in the queue of a socket that listens is reset. Also where others hold it still: which
// of the closes is the last does not change what they depend on.
void close_queue_accesses(const World& world, const Description& listener, AccessList& out) {
  const Channel& queue = world.object(listener.reads).channel;
  for (uint32_t i = 0; i < queue.used; ++i) {
    const Description& waiting = world.object(ObjectId{queue.lengths[i]}).description;
    out.add(object_resource(waiting.reads, kWriteEnds), Mode::Add);
    out.add(object_resource(waiting.writes, kReadEnds), Mode::Add);
  }
}

void close_name_accesses(const World& world, ObjectId id, AccessList& out) {
  const Description& description = world.object(id).description;
  out.add(object_resource(id), Mode::Read);
  if (description.address != kNoObject) out.add(object_resource(description.address), Mode::Add);
  if (description.stage != SocketStage::Listening) return;
  out.add(object_resource(description.reads), Mode::Read);
  close_queue_accesses(world, description, out);
}

// What is in a FIFO is lost when nobody has it open any more.
void close_fifo_accesses(const World& world, const Description& description, AccessList& out) {
  for (const ObjectId id : {description.reads, description.writes}) {
    if (id != kNoObject && world.object(id).channel.is_fifo())
      out.add(object_resource(id), Mode::Write);
  }
}

// Of a socket, what was not read is an error for the other side.
void close_accesses(const World& world, ProcessId process, ObjectId id, AccessList& out) {
  const Description& description = world.object(id).description;
  out.add(hold_of(id, process), Mode::Write);
  if (kind_behind(world, description) == ObjectKind::File)
    return close_file_accesses(world, process, id, out);
  if (kind_behind(world, description) != ObjectKind::Channel) return;  // nobody sees it close
  if (description.is_named()) close_name_accesses(world, id, out);
  close_fifo_accesses(world, description, out);
  if (description.reads != kNoObject) {
    const Channel& in = world.object(description.reads).channel;
    out.add(object_resource(description.reads, kReadEnds), Mode::Add);
    if (in.is_socket && !in.never_ends) out.add(object_resource(description.reads), Mode::Read);
  }
  if (description.writes != kNoObject)
    out.add(object_resource(description.writes, kWriteEnds), Mode::Add);
}

void shut_accesses(ObjectId channel, AccessList& out) {
  if (channel == kNoObject) return;
  constexpr uint8_t kParts[] = {kWhole, kReadEnds, kWriteEnds};
  for (const uint8_t part : kParts) out.add(object_resource(channel, part), Mode::Write);
}

void set_accesses(const Asked& asked, AccessList& out) {
  const Description& description = asked.world.object(asked.op.object).description;
  const auto change = static_cast<DescriptionChange>(asked.op.value);
  const bool both = change == DescriptionChange::ShutBoth;
  out.add(object_resource(asked.op.object), Mode::Write);
  if (both || change == DescriptionChange::ShutRead) shut_accesses(description.reads, out);
  if (both || change == DescriptionChange::ShutWrite) shut_accesses(description.writes, out);
  if (change == DescriptionChange::TakeError && description.reads != kNoObject)
    out.add(object_resource(description.reads, kWriteEnds), Mode::Write);
}

void poll_accesses(const Asked& asked, AccessList& out) {
  const ProcessId process = asked.world.thread(asked.thread).process;
  for (uint32_t i = 0; i < asked.op.part_count; ++i) {
    const OpPart& part = asked.part(i);
    const Description& description = asked.world.object(part.object).description;
    out.add(hold_of(part.object, process), Mode::Read);
    if (kind_behind(asked.world, description) == ObjectKind::File) continue;  // always ready
    if (kind_behind(asked.world, description) != ObjectKind::Channel) {
      out.add(object_resource(description.either()), Mode::Read);
      continue;
    }
    if (description.is_named()) out.add(object_resource(part.object), Mode::Read);
    if (description.reads != kNoObject) {
      const Channel& in = asked.world.object(description.reads).channel;
      if (part.poll.events & (POLLIN | POLLRDNORM))
        out.add(object_resource(description.reads), Mode::Read);
      looks_at_ends(in, description.reads, kWriteEnds, Mode::Read, out);
    }
    if (description.writes != kNoObject) {
      const Channel& to = asked.world.object(description.writes).channel;
      if (part.poll.events & (POLLOUT | POLLWRNORM | POLLWRBAND))
        out.add(object_resource(description.writes), Mode::Read);
      looks_at_ends(to, description.writes, kReadEnds, Mode::Read, out);
    }
  }
}

}  // namespace

namespace on_channel {
namespace {

// The accesses to its description. False: that was all, because it fails by it.
bool passes_description(const Asked& asked, AccessList& out) {
  const ProcessId process = asked.process();
  const Description& description = asked.world.object(asked.op.second).description;
  out.add(hold_of(asked.op.second, process), Mode::Read);
  // A process that has ended holds nothing: what its threads stood before is still asked for.
  const bool is_held = description.is_held_by(process) || asked.possible;
  const bool is_fresh =
      description.stage == SocketStage::Fresh || description.stage == SocketStage::Listening;
  if (!is_held || (is_fresh && !asked.possible)) {
    out.add(object_resource(asked.op.second),
            description.connect_error != 0 && is_held ? Mode::Write : Mode::Read);
    out.add(object_resource(asked.op.object), Mode::Read);
    return false;
  }
  const bool tells_error = description.connect_error != 0;  // and then no more
  out.add(object_resource(asked.op.second), tells_error ? Mode::Write : Mode::Read);
  // Where it is not held, it only looks.
  if (!description.is_held_by(process)) out.add(object_resource(asked.op.object), Mode::Read);
  return true;
}

}  // namespace

void read_accesses(const Asked& asked, AccessList& out) {
  if (passes_description(asked, out))
    transfer_read(asked, asked.world.object(asked.op.object).channel, out);
}

void write_accesses(const Asked& asked, AccessList& out) {
  if (passes_description(asked, out))
    transfer_write(asked, asked.world.object(asked.op.object).channel, out);
}

}  // namespace on_channel

namespace on_description {
namespace {

bool is_held(const Asked& asked) {
  return asked.world.object(asked.op.object).description.is_held_by(asked.process()) ||
         asked.possible;
}

}  // namespace

void open_accesses(const Asked& asked, AccessList& out) {
  out.add(process_resource(asked.process(), kNumbers), Mode::Write);
}

void close_accesses(const Asked& asked, AccessList& out) {
  if (!is_held(asked)) return out.add(hold_of(asked.op.object, asked.process()), Mode::Read);
  out.add(process_resource(asked.process(), kNumbers), Mode::Write);
  mazurka::close_accesses(asked.world, asked.process(), asked.op.object, out);
}

void set_accesses(const Asked& asked, AccessList& out) {
  out.add(hold_of(asked.op.object, asked.process()), Mode::Read);
  if (is_held(asked)) mazurka::set_accesses(asked, out);
}

void poll_accesses(const Asked& asked, AccessList& out) { mazurka::poll_accesses(asked, out); }

}  // namespace on_description

void closes_descriptions(const World& world, ProcessId process, AccessList& out) {
  for (uint32_t i = 0; i < world.object_limit; ++i) {
    if (world.objects[i].kind != ObjectKind::Description ||
        !world.objects[i].description.is_held_by(process))
      continue;
    close_accesses(world, process, ObjectId(i), out);
  }
}

}  // namespace mazurka
