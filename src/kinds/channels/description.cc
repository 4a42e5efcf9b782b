#include "kinds/channels/description.h"

#include <errno.h>
#include <poll.h>

#include <initializer_list>

#include "kinds/sockets/socket.h"
#include "objects/clock.h"
#include "objects/state_sink.h"

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

ObjectKind kind_behind(const World& world, const Description& description) {
  return description.either() == kNoObject ? ObjectKind::None
                                           : world.object(description.either()).kind;
}

namespace {

const Channel* channel_at(const World& world, ObjectId id) {
  return id != kNoObject && world.object(id).kind == ObjectKind::Channel ? &world.object(id).channel
                                                                         : nullptr;
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

ObjectId id_of(const World& world, const Object& object) {
  return ObjectId{static_cast<uint32_t>(&object - world.objects)};
}

// What is in a FIFO that nobody has open is lost.
void forget_bytes_of_fifo(Channel& channel) {
  if (!channel.is_fifo() || channel.readers > 0 || channel.writers > 0) return;
  for (uint32_t i = 0; i < channel.used; ++i) channel.lengths[i] = 0;
  channel.used = 0;
  channel.taken = 0;
}

void close_sides(World& world, const Description& description) {
  Channel* in = channel_at(world, description.reads);
  Channel* out = channel_at(world, description.writes);
  if (out != nullptr && loses_data(world, description)) out->reset = in->has_refused = true;
  if (in != nullptr && in->readers > 0) --in->readers;
  if (out != nullptr && out->writers > 0) --out->writers;
  for (Channel* const channel : {in, out}) {
    if (channel != nullptr) forget_bytes_of_fifo(*channel);
  }
}

void close_for(World& world, const ThreadState& me, ProcessId process, Object& object) {
  Description& description = object.description;
  if (Channel* in = channel_at(world, description.reads)) show(me, in->readers_clock_ns);
  if (Channel* out = channel_at(world, description.writes)) show(me, out->writers_clock_ns);
  if (description.is_named()) show_close(world, me, id_of(world, object));
  description.remove_holder(process);
  if (kind_behind(world, description) == ObjectKind::File)
    close_file(world, me, process, id_of(world, object));
  if (description.holder_count > 0) return;
  if (description.is_named()) close_socket(world, id_of(world, object));
  close_sides(world, description);
}

// Which end of the channel says so, and whether it says so of its other channel, too.
enum class Shutter : uint8_t { Writer, Reader, ReaderOfBoth };

void mark_shut(Channel& channel, Shutter who) {
  if (!channel.is_internet || who == Shutter::Writer ||
      channel.form == Channel::Form::Connections) {
    channel.shut = true;
  } else {
    channel.is_deaf = true;
    channel.is_deserted = channel.is_deserted || who == Shutter::ReaderOfBoth;
  }
}

void shut(World& world, ThreadId thread, ObjectId id, Shutter who) {
  if (id == kNoObject) return;
  Object& object = world.object(id);
  ThreadState& me = world.thread(thread);
  see(me, object);
  see(me, object.channel.readers_clock_ns);
  see(me, object.channel.writers_clock_ns);
  mark_shut(object.channel, who);
  show(me, object);
  show(me, object.channel.readers_clock_ns);
  show(me, object.channel.writers_clock_ns);
}

// That a connect was refused, or that the peer has closed before it had read everything: told once.
Effect take_error(World& world, ThreadId thread, Description& description) {
  Effect effect{.value = description.connect_error};
  description.connect_error = 0;
  Channel* const in = channel_at(world, description.reads);
  if (in == nullptr || !in->reset) return effect;
  see(world.thread(thread), in->writers_clock_ns);
  show(world.thread(thread), in->writers_clock_ns);
  in->reset = false;
  return {.value = ECONNRESET};
}

Effect change(World& world, ThreadId thread, Object& object, DescriptionChange wanted) {
  see_and_show(world.thread(thread), object);
  Description& description = object.description;
  const bool is_fresh = description.stage == SocketStage::Fresh;
  const bool can_shut = !is_fresh || !world.object(description.reads).channel.is_internet;
  switch (wanted) {
    case DescriptionChange::Blocking:
    case DescriptionChange::NonBlocking:
      description.is_nonblocking = wanted == DescriptionChange::NonBlocking;
      return {};
    case DescriptionChange::ShutRead:
      if (can_shut) shut(world, thread, description.reads, Shutter::Reader);
      break;
    case DescriptionChange::ShutWrite:
      if (can_shut) shut(world, thread, description.writes, Shutter::Writer);
      break;
    case DescriptionChange::ShutBoth:
      if (can_shut) shut(world, thread, description.reads, Shutter::ReaderOfBoth);
      if (can_shut) shut(world, thread, description.writes, Shutter::Writer);
      break;
    case DescriptionChange::TakeError:
      return take_error(world, thread, description);
  }
  return {.error = can_shut ? 0 : ENOTCONN};
}

// --- poll

int readable(const Channel& channel) {
  if (channel.is_socket)
    return !channel.is_empty() || channel.is_at_end() ? POLLIN | POLLRDNORM : 0;
  return channel.is_empty() ? 0 : POLLIN | POLLRDNORM;
}

int writable(const Channel& channel) {
  if (!channel.is_writable()) return 0;
  const bool has_bands =
      channel.form == Channel::Form::Stream || channel.form == Channel::Form::Messages;
  if (channel.form == Channel::Form::Counter) return POLLOUT;
  return has_bands ? POLLOUT | POLLWRNORM | POLLWRBAND : POLLOUT | POLLWRNORM;
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
  bool out_ended = out != nullptr && out->is_broken();
  if (in != nullptr && in->is_socket) {
    if (in->never_ends) return 0;
    if (out != nullptr && out->is_internet) out_ended = out->shut || out->has_refused;
    return (in_ended ? POLLRDHUP : 0) | (in_ended && out_ended ? POLLHUP : 0) |
           (in->reset ? POLLERR : 0);
  }
  return (in_ended && out == nullptr ? POLLHUP : 0) | (out_ended && in == nullptr ? POLLERR : 0);
}

void see_ends(ThreadState& me, const Channel& channel, int64_t clock_ns) {
  if (channel.form != Channel::Form::Counter) see(me, clock_ns);
}

// A socket that is not connected.
int fresh_events(const Description& description) {
  constexpr int kWritable = POLLOUT | POLLWRNORM | POLLWRBAND;
  return description.connect_error == 0 ? kWritable | POLLHUP
                                        : kWritable | POLLIN | POLLRDNORM | POLLERR | POLLHUP;
}

int listening_events(const Channel& queue) {
  return queue.shut ? POLLIN | POLLRDNORM | POLLRDHUP | POLLHUP : readable(queue);
}

// As channel_accesses.cc has it.
void see_polled(const World& world, ThreadState& me, const OpPart& part) {
  const Description& description = world.object(part.object).description;
  if (kind_behind(world, description) == ObjectKind::File) return;
  if (kind_behind(world, description) != ObjectKind::Channel)
    return see(me, world.object(description.either()));
  if (description.is_named()) see(me, world.object(part.object));
  if (description.reads != kNoObject) {
    const Object& in = world.object(description.reads);
    if (part.poll.events & (POLLIN | POLLRDNORM)) see(me, in);
    see_ends(me, in.channel, in.channel.writers_clock_ns);
  }
  if (description.writes != kNoObject) {
    const Object& out = world.object(description.writes);
    if (part.poll.events & (POLLOUT | POLLWRNORM | POLLWRBAND)) see(me, out);
    see_ends(me, out.channel, out.channel.readers_clock_ns);
  }
}

const OpPart& part_of(const World& world, const Operation& poll, uint32_t i) {
  return world.parts[poll.part_begin + i];
}

// When the next timer of the poll expires after this time; kNever.
constexpr int64_t kNever = INT64_MAX;
int64_t next_expiry(const World& world, const Operation& poll, int64_t after_ns) {
  int64_t next_ns = kNever;
  for (uint32_t i = 0; (poll.flags & kMayExpire) != 0 && i < poll.part_count; ++i) {
    const OpPart& part = part_of(world, poll, i);
    const Description& description = world.object(part.object).description;
    if (kind_behind(world, description) != ObjectKind::Timer ||
        (part.poll.events & (POLLIN | POLLRDNORM)) == 0)
      continue;
    const int64_t expires_ns = world.object(description.either()).timer.expires_ns;
    if (expires_ns > after_ns && expires_ns < next_ns) next_ns = expires_ns;
  }
  return next_ns;
}

bool finds_something(const World& world, ThreadId thread, const Operation& poll) {
  for (uint32_t i = 0; i < poll.part_count; ++i) {
    const OpPart& part = part_of(world, poll, i);
    if (ready_events(world, thread, part) != 0) return true;
  }
  return false;
}

// The outcome is how many of the times at which timers expire have passed when it returns. Timers
// expire in the order of their times; one that waits for nothing else waits for the first.
Outcomes enabled_poll(const World& world, ThreadId thread, const Operation& poll) {
  const int64_t now_ns = world.thread(thread).clock_ns;
  const bool finds = finds_something(world, thread, poll);
  const bool gives_up = !finds && (poll.flags & kTimed) != 0;
  const int64_t last_ns = gives_up ? poll.deadline_ns : kNever - 1;
  uint32_t expiries = 0;
  for (int64_t t = next_expiry(world, poll, now_ns); t <= last_ns; t = next_expiry(world, poll, t))
    ++expiries;
  const bool may_find_nothing = finds || (poll.flags & kTry) != 0 || (gives_up && expiries == 0);
  if (expiries == 0) return may_find_nothing ? Outcomes::one() : Outcomes::none();
  return Outcomes::from(may_find_nothing ? 0 : 1, expiries + 1);
}

Effect apply_poll(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  ThreadState& me = world.thread(thread);
  int64_t expired_ns = me.clock_ns - kTickNs;  // as it was when this was enabled
  for (Outcome i = 0; i < outcome; ++i) expired_ns = next_expiry(world, op, expired_ns);
  jump_to(me, expired_ns);
  for (uint32_t i = 0; i < op.part_count; ++i) see_polled(world, me, part_of(world, op, i));
  int64_t ready = 0;
  for (uint32_t i = 0; i < op.part_count; ++i) {
    const OpPart& part = part_of(world, op, i);
    ready += ready_events(world, thread, part) != 0;
  }
  if (ready == 0 && (op.flags & kTimed)) jump_to(me, op.deadline_ns);
  return {.value = ready};
}

}  // namespace

int ready_events(const World& world, ThreadId thread, ObjectId id, int events) {
  const Description& description = world.object(id).description;
  const ThreadState& me = world.thread(thread);
  if (!description.is_held_by(me.process)) return POLLNVAL;
  const ObjectKind kind = kind_behind(world, description);
  if (kind == ObjectKind::File) return events & (POLLIN | POLLRDNORM | POLLOUT | POLLWRNORM);
  if (kind == ObjectKind::Queue) return ready_events_of_queue(world, description) & events;
  if (kind == ObjectKind::Timer) {
    return world.object(description.either()).timer.has_expired(me.clock_ns)
               ? (POLLIN | POLLRDNORM) & events
               : 0;
  }
  const Channel* in = channel_at(world, description.reads);
  const Channel* out = channel_at(world, description.writes);
  if (description.stage == SocketStage::Datagrams)
    return (readable(*in) | POLLOUT | POLLWRNORM | POLLWRBAND) & events;
  if (description.stage == SocketStage::Fresh)
    return fresh_events(description) & (events | POLLERR | POLLHUP);
  if (description.stage == SocketStage::Listening)
    return listening_events(*in) & (events | POLLHUP);
  int ready = troubles(in, out) & (events | POLLERR | POLLHUP);
  if (in != nullptr) ready |= readable(*in) & events;
  if (out != nullptr) ready |= writable(*out) & events;
  return ready;
}

OpPart with_edges(const World& world, OpPart part) {
  const Description& description = world.object(part.object).description;
  if (kind_behind(world, description) != ObjectKind::Channel) return part;
  const Channel* in = channel_at(world, description.reads);
  const Channel* out = channel_at(world, description.writes);
  uint32_t changes = 0;
  if (in != nullptr && (part.poll.events & (POLLIN | POLLRDNORM)) != 0) changes += in->arrivals;
  if (out != nullptr && (part.poll.events & (POLLOUT | POLLWRNORM | POLLWRBAND)) != 0)
    changes += out->departures;
  const int trouble = troubles(in, out);
  part.poll.told_changes = static_cast<uint16_t>(changes);
  part.poll.told_ends = static_cast<uint8_t>(
      static_cast<int>(description.stage) << 3 | ((trouble & POLLRDHUP) != 0) << 2 |
      ((trouble & POLLHUP) != 0) << 1 | ((trouble & POLLERR) != 0));
  part.poll.changes_only = 1;
  return part;
}

int ready_events(const World& world, ThreadId thread, const OpPart& part) {
  if (part.poll.changes_only != 0) {
    const OpPart now = with_edges(world, part);
    if (now.poll.told_changes == part.poll.told_changes &&
        now.poll.told_ends == part.poll.told_ends)
      return 0;
  }
  return ready_events(world, thread, part.object, part.poll.events);
}

namespace on_description {

Outcomes poll_enabled(const World& world, ThreadId thread, const Operation& op) {
  return enabled_poll(world, thread, op);
}

Effect poll(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  return apply_poll(world, thread, op, outcome);
}

Effect open(World& world, ThreadId thread, const Operation& op, Outcome) {
  const ProcessId process = world.thread(thread).process;
  open_for(world, process, world.object(op.object).description);
  if (op.second != kNoObject) open_for(world, process, world.object(op.second).description);
  return {};
}

Effect close(World& world, ThreadId thread, const Operation& op, Outcome) {
  const ProcessId process = world.thread(thread).process;
  Object& object = world.object(op.object);
  if (!object.description.is_held_by(process)) return {.error = EBADF};
  close_for(world, world.thread(thread), process, object);
  return {};
}

Effect set(World& world, ThreadId thread, const Operation& op, Outcome) {
  Object& object = world.object(op.object);
  if (!object.description.is_held_by(world.thread(thread).process)) return {.error = EBADF};
  return change(world, thread, object, static_cast<DescriptionChange>(op.value));
}

void state(const World& world, ObjectId id, StateSink& sink) {
  const Description& d = world.object(id).description;
  StateSet holders;
  for (uint32_t i = 0; i < d.holder_count; ++i) holders.add({index(d.holders[i])});
  sink.add({d.is_nonblocking, static_cast<int64_t>(d.stage), d.connect_error, d.is_connecting});
  sink.add({index(d.address), index(d.peer), index(d.reads), index(d.writes), holders.value()});
}

}  // namespace on_description

bool inherit_descriptions(World& world, ThreadId creator, ProcessId child) {
  const ThreadState& parent = world.thread(creator);
  bool all = true;
  for (uint32_t i = 0; i < world.object_limit; ++i) {
    if (world.objects[i].kind != ObjectKind::Description) continue;
    Description& description = world.objects[i].description;
    const bool is_later =
        description.born_by == creator && description.born_after >= parent.children;
    if (is_later || !description.is_held_by(parent.process)) continue;
    all = description.add_holder(child) && all;
  }
  return all;
}

bool holds_descriptions(const World& world, ProcessId process) {
  if (has_records(world, process)) return true;
  for (uint32_t i = 0; i < world.object_limit; ++i) {
    if (world.objects[i].kind == ObjectKind::Description &&
        world.objects[i].description.is_held_by(process))
      return true;
  }
  return false;
}

void close_descriptions(World& world, ProcessId process) {
  ThreadState last;  // the latest time of its threads
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& thread = world.threads[i];
    if (thread.status != ThreadStatus::Absent && thread.process == process)
      show(thread, last.clock_ns);
  }
  give_up_records(world, last, process);
  for (uint32_t i = 0; i < world.object_limit; ++i) {
    Object& object = world.objects[i];
    if (object.kind == ObjectKind::Description && object.description.is_held_by(process))
      close_for(world, last, process, object);
  }
}

}  // namespace mazurka
