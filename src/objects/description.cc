#include "objects/description.h"

#include <errno.h>
#include <poll.h>

#include "objects/clock.h"

namespace mazurka {

bool Description::is_held_by(ProcessId process) const {
  for (uint32_t i = 0; i < holder_count; ++i) {
    if (holders[i] == process) return true;
  }
  return false;
}

bool Description::add_holder(ProcessId process) {
  if (is_held_by(process)) return true;
  if (holder_count == kMaxHolders) return false;
  holders[holder_count++] = process;
  return true;
}

// In the order of their names: what is left does not depend on who closed first.
void Description::remove_holder(ProcessId process) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < holder_count; ++i) {
    if (holders[i] != process) holders[kept++] = holders[i];
  }
  for (uint32_t i = kept; i < holder_count; ++i) holders[i] = ProcessId{0};
  holder_count = static_cast<uint16_t>(kept);
}

bool leads_to_queue(const World& world, const Description& description) {
  return description.either() != kNoObject && world.object(description.either()).kind == ObjectKind::Queue;
}

namespace {

const Channel* channel_at(const World& world, ObjectId id) {
  return id != kNoObject && world.object(id).kind == ObjectKind::Channel ? &world.object(id).channel : nullptr;
}
Channel* channel_at(World& world, ObjectId id) {
  return const_cast<Channel*>(channel_at(static_cast<const World&>(world), id));
}

void open_for(World& world, ProcessId process, Description& description) {
  description.add_holder(process);
  if (Channel* in = channel_at(world, description.reads)) ++in->readers;
  if (Channel* out = channel_at(world, description.writes)) ++out->writers;
}

// What was not read when a connected socket is closed is an error for the other side.
bool loses_data(const World& world, const Description& description) {
  const Channel* in = channel_at(world, description.reads);
  return in != nullptr && in->is_socket && !in->never_ends && !in->is_empty();
}

void close_sides(World& world, const Description& description) {
  Channel* in = channel_at(world, description.reads);
  Channel* out = channel_at(world, description.writes);
  if (out != nullptr && loses_data(world, description)) out->reset = true;
  if (in != nullptr && in->readers > 0) --in->readers;
  if (out != nullptr && out->writers > 0) --out->writers;
}

void close_for(World& world, const ThreadState& me, ProcessId process, Object& object) {
  Description& description = object.description;
  if (Channel* in = channel_at(world, description.reads)) show(me, in->readers_clock_ns);
  if (Channel* out = channel_at(world, description.writes)) show(me, out->writers_clock_ns);
  description.remove_holder(process);
  if (description.holder_count == 0) close_sides(world, description);
}

void shut(World& world, ThreadId thread, ObjectId id) {
  if (id == kNoObject) return;
  Object& object = world.object(id);
  ThreadState& me = world.thread(thread);
  see(me, object);
  see(me, object.channel.readers_clock_ns);
  see(me, object.channel.writers_clock_ns);
  object.channel.shut = true;
  show(me, object);
  show(me, object.channel.readers_clock_ns);
  show(me, object.channel.writers_clock_ns);
}

void change(World& world, ThreadId thread, Object& object, DescriptionChange wanted) {
  see_and_show(world.thread(thread), object);
  switch (wanted) {
    case DescriptionChange::Blocking:
    case DescriptionChange::NonBlocking:
      object.description.is_nonblocking = wanted == DescriptionChange::NonBlocking;
      return;
    case DescriptionChange::ShutRead:
      return shut(world, thread, object.description.reads);
    case DescriptionChange::ShutWrite:
      return shut(world, thread, object.description.writes);
    case DescriptionChange::ShutBoth:
      shut(world, thread, object.description.reads);
      return shut(world, thread, object.description.writes);
  }
}

// --- poll

int readable(const Channel& channel) {
  if (channel.is_socket) return !channel.is_empty() || channel.is_at_end() ? POLLIN | POLLRDNORM : 0;
  return channel.is_empty() ? 0 : POLLIN | POLLRDNORM;
}

// A pipe is ready for writing when a page is free, a socket when three quarters of it are.
int writable(const Channel& channel) {
  switch (channel.form) {
    case Channel::Form::Pipe:
      return channel.used < channel.slots ? POLLOUT | POLLWRNORM : 0;
    case Channel::Form::Counter:
      return channel.count < kMostCounted ? POLLOUT : 0;
    case Channel::Form::Stream:
      return channel.used * 4 <= channel.slots ? POLLOUT | POLLWRNORM | POLLWRBAND : 0;
    case Channel::Form::Messages:
      return channel.used < channel.slots ? POLLOUT | POLLWRNORM | POLLWRBAND : 0;
  }
  return 0;
}

int ready_events_of_queue(const World& world, const Description& description) {
  const Queue& queue = world.object(description.either()).queue;
  const bool can_receive = description.reads != kNoObject && queue.count > 0;
  const bool can_send = description.writes != kNoObject && queue.count < queue.most;
  return (can_receive ? POLLIN | POLLRDNORM : 0) | (can_send ? POLLOUT | POLLWRNORM : 0);
}

// What is reported without being asked for.
int troubles(const Channel* in, const Channel* out) {
  const bool in_ended = in != nullptr && in->is_at_end();
  const bool out_ended = out != nullptr && out->is_broken();
  if (in != nullptr && in->is_socket) {
    if (in->never_ends) return 0;
    return (in_ended ? POLLRDHUP : 0) | (in_ended && out_ended ? POLLHUP : 0) | (in->reset ? POLLERR : 0);
  }
  return (in_ended && out == nullptr ? POLLHUP : 0) | (out_ended && in == nullptr ? POLLERR : 0);
}

void see_ends(ThreadState& me, const Channel& channel, int64_t clock_ns) {
  if (channel.form != Channel::Form::Counter) see(me, clock_ns);
}

// As channel_accesses.cc has it.
void see_polled(const World& world, ThreadState& me, const SemPart& part) {
  const Description& description = world.object(part.semaphore).description;
  if (leads_to_queue(world, description)) return see(me, world.object(description.either()));
  if (description.reads != kNoObject) {
    const Object& in = world.object(description.reads);
    if (part.delta & (POLLIN | POLLRDNORM)) see(me, in);
    see_ends(me, in.channel, in.channel.writers_clock_ns);
  }
  if (description.writes != kNoObject) {
    const Object& out = world.object(description.writes);
    if (part.delta & (POLLOUT | POLLWRNORM | POLLWRBAND)) see(me, out);
    see_ends(me, out.channel, out.channel.readers_clock_ns);
  }
}

Effect apply_poll(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  int64_t ready = 0;
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const SemPart& part = world.parts[op.part_begin + i];
    ready += ready_events(world, me.process, part.semaphore, part.delta) != 0;
    see_polled(world, me, part);
  }
  if (ready == 0 && (op.flags & kTimed)) jump_to(me, op.deadline_ns);
  return {.value = ready};
}

}  // namespace

int ready_events(const World& world, ProcessId process, ObjectId id, int events) {
  const Description& description = world.object(id).description;
  if (!description.is_held_by(process)) return POLLNVAL;
  if (leads_to_queue(world, description)) return ready_events_of_queue(world, description) & events;
  const Channel* in = channel_at(world, description.reads);
  const Channel* out = channel_at(world, description.writes);
  int ready = troubles(in, out) & (events | POLLERR | POLLHUP);
  if (in != nullptr) ready |= readable(*in) & events;
  if (out != nullptr) ready |= writable(*out) & events;
  return ready;
}

Outcomes description_enabled(const World& world, ThreadId thread, const Operation& op) {
  if (op.kind != OpKind::Poll || (op.flags & (kTry | kTimed))) return Outcomes::one();
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const SemPart& part = world.parts[op.part_begin + i];
    if (ready_events(world, world.thread(thread).process, part.semaphore, part.delta) != 0) return Outcomes::one();
  }
  return Outcomes::none();
}

Effect description_apply(World& world, ThreadId thread, const Operation& op) {
  if (op.kind == OpKind::Poll) return apply_poll(world, thread, op);
  const ProcessId process = world.thread(thread).process;
  Object& object = world.object(op.object);
  switch (op.kind) {
    case OpKind::DescriptionOpen:
      open_for(world, process, object.description);
      if (op.second != kNoObject) open_for(world, process, world.object(op.second).description);
      return {};
    case OpKind::DescriptionClose:
      if (!object.description.is_held_by(process)) return {.error = EBADF};
      close_for(world, world.thread(thread), process, object);
      return {};
    default:
      if (!object.description.is_held_by(process)) return {.error = EBADF};
      change(world, thread, object, static_cast<DescriptionChange>(op.value));
      return {};
  }
}

bool inherit_descriptions(World& world, ThreadId creator, ProcessId child) {
  const ThreadState& parent = world.thread(creator);
  bool all = true;
  for (uint32_t i = 0; i < world.object_limit; ++i) {
    if (world.objects[i].kind != ObjectKind::Description) continue;
    Description& description = world.objects[i].description;
    const bool is_later = description.born_by == creator && description.born_after >= parent.children;
    if (is_later || !description.is_held_by(parent.process)) continue;
    all = description.add_holder(child) && all;
  }
  return all;
}

bool holds_descriptions(const World& world, ProcessId process) {
  for (uint32_t i = 0; i < world.object_limit; ++i) {
    if (world.objects[i].kind == ObjectKind::Description && world.objects[i].description.is_held_by(process)) return true;
  }
  return false;
}

void close_descriptions(World& world, ProcessId process) {
  ThreadState last;  // the latest time of its threads
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& thread = world.threads[i];
    if (thread.status != ThreadStatus::Absent && thread.process == process) show(thread, last.clock_ns);
  }
  for (uint32_t i = 0; i < world.object_limit; ++i) {
    Object& object = world.objects[i];
    if (object.kind == ObjectKind::Description && object.description.is_held_by(process))
      close_for(world, last, process, object);
  }
}

}  // namespace mazurka
