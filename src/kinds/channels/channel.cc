#include "kinds/channels/channel.h"

#include <errno.h>

#include "objects/clock.h"
#include "objects/kind_row.h"
#include "objects/state_sink.h"

namespace mazurka {
namespace {

constexpr int64_t kUnit = 16;  // of a message's length

uint16_t units(int64_t bytes) { return static_cast<uint16_t>((bytes + kUnit - 1) / kUnit); }

template <typename T>
T least(T a, T b) {
  return a < b ? a : b;
}

// Bytes of a write that would go on in the last page.
int64_t rest(int64_t wanted) { return wanted % kPageBytes; }

bool goes_on_in_last_page(const Channel& pipe, int64_t wanted) {
  if (pipe.used == 0 || rest(wanted) == 0) return false;
  const int64_t before = pipe.lengths[pipe.used - 1] + (pipe.used == 1 ? pipe.taken : 0);
  return before + rest(wanted) <= kPageBytes;
}

int64_t room_in_pages(const Channel& pipe, int64_t wanted, bool goes_on) {
  const int64_t free = int64_t{pipe.slots - pipe.used} * kPageBytes;
  const int64_t merged = !goes_on && goes_on_in_last_page(pipe, wanted) ? rest(wanted) : 0;
  return least(wanted, merged + free);
}

void drop(Channel& channel, uint32_t place) {
  --channel.used;
  for (uint32_t i = place; i < channel.used; ++i) channel.lengths[i] = channel.lengths[i + 1];
  channel.lengths[channel.used] = 0;
  if (channel.form == Channel::Form::Pipe || channel.used == 0) channel.taken = 0;
}

void put_in_pages(Channel& channel, int64_t moved) {
  for (; moved > 0; moved -= kPageBytes) {
    channel.lengths[channel.used++] = static_cast<uint16_t>(least<int64_t>(moved, kPageBytes));
  }
}

// A page keeps what was read from it in front.
int64_t take_from_pages(Channel& channel, int64_t wanted) {
  int64_t taken = 0;
  while (taken < wanted && channel.used > 0) {
    const int64_t part = least<int64_t>(wanted - taken, channel.lengths[0]);
    taken += part;
    channel.lengths[0] = static_cast<uint16_t>(channel.lengths[0] - part);
    channel.taken = static_cast<uint16_t>(channel.taken + part);
    if (channel.lengths[0] == 0) drop(channel, 0);
  }
  return taken;
}

}  // namespace

bool Channel::is_empty() const {
  if (form == Form::Stream) return stream.used == 0;
  return form == Form::Counter ? count == 0 : used == 0;
}

int64_t Channel::bytes() const {
  if (form == Form::Stream) return stream.bytes();
  int64_t sum = 0;
  for (uint32_t i = 0; i < used; ++i) sum += lengths[i];
  return form == Form::Messages ? sum * kUnit : sum;
}

int64_t Channel::room(int64_t wanted, bool goes_on) const {
  switch (form) {
    case Form::Pipe:
      return room_in_pages(*this, wanted, goes_on);
    case Form::Stream:
      return stream.room(wanted, limit());
    case Form::Messages:
      return used == 0 || (used < slots && bytes() + wanted <= kMostMessageBytes) ? wanted : 0;
    case Form::Counter:
      return count <= kMostCounted - wanted ? wanted : 0;
    case Form::Connections:
      break;
  }
  return 0;
}

bool Channel::is_writable() const {
  switch (form) {
    case Form::Pipe:
    case Form::Messages:
      return used < slots;
    case Form::Counter:
      return count < kMostCounted;
    case Form::Stream:
      return stream.cost() * 4 <= limit();
    case Form::Connections:
      break;
  }
  return false;
}

void Channel::put(int64_t moved, bool goes_on) {
  ++arrivals;
  switch (form) {
    case Form::Pipe:
      if (!goes_on && goes_on_in_last_page(*this, moved)) {
        lengths[used - 1] = static_cast<uint16_t>(lengths[used - 1] + rest(moved));
        moved -= rest(moved);
      }
      return put_in_pages(*this, moved);
    case Form::Stream:
      return stream.put(moved);
    case Form::Messages:
      lengths[used++] = units(moved);
      return;
    case Form::Counter:
      count += moved;
      return;
    case Form::Connections:
      return;
  }
}

// As the kernel wakes them: an eventfd always, local sockets with each piece that is gone while
// there is room, pipes and TCP when there was none before.
int64_t Channel::take(int64_t wanted) {
  const bool was_writable = is_writable();
  const int64_t before = parts();
  const int64_t taken_now = take_any(wanted);
  const bool only_if_full = form == Form::Pipe || is_internet;
  const bool is_freed = only_if_full ? !was_writable : parts() < before;
  if (form == Form::Counter || (is_freed && is_writable())) ++departures;
  return taken_now;
}

int64_t Channel::take_any(int64_t wanted) {
  switch (form) {
    case Form::Pipe:
      return take_from_pages(*this, wanted);
    case Form::Stream:
      return stream.take(wanted);
    case Form::Messages:
      return take_message(0);
    case Form::Counter: {
      const int64_t all = slots == 1 ? 1 : count;
      count -= all;
      return all;
    }
    case Form::Connections: {
      const int64_t first = lengths[0];
      drop(*this, 0);
      return first;
    }
  }
  return 0;
}

int64_t Channel::take_message(uint32_t place) {
  const int64_t length = lengths[place] * kUnit;
  drop(*this, place);
  return length;
}

namespace {

bool is_held(const World& world, ThreadId thread, const Operation& op) {
  return world.object(op.second).description.is_held_by(world.thread(thread).process);
}

bool must_not_wait(const World& world, const Operation& op) {
  return (op.flags & (kTry | kTimed)) != 0 || world.object(op.second).description.is_nonblocking;
}

// Of a socket for messages, and of TCP, the next write finds out that the peer has closed it before
// it had read everything.
const Channel* pending_reset(const World& world, const Operation& op) {
  const ObjectId in = world.object(op.second).description.reads;
  if (op.kind != OpKind::ChannelWrite || in == kNoObject) return nullptr;
  const Channel& channel = world.object(in).channel;
  return (channel.form == Channel::Form::Messages || channel.is_internet) && channel.reset
             ? &channel
             : nullptr;
}

// A socket that is not connected, or could not be: what its calls fail with; 0 for those that can
// be used.
int stage_error(const World& world, const Operation& op) {
  const Description& description = world.object(op.second).description;
  if (description.connect_error != 0) return description.connect_error;
  if (description.stage != SocketStage::Fresh && description.stage != SocketStage::Listening)
    return 0;
  const Channel& channel = world.object(op.object).channel;
  if (op.kind == OpKind::ChannelWrite) return channel.is_internet ? EPIPE : ENOTCONN;
  return channel.form == Channel::Form::Stream && !channel.is_internet ? EINVAL : ENOTCONN;
}

int read_result(const Channel& channel, const Operation& op, int64_t& moved) {
  Channel copy = channel;
  moved = 0;
  const bool is_message = channel.form == Channel::Form::Messages;
  if (op.value == 0 && !is_message) return 0;
  if (channel.reset && is_message)
    return ECONNRESET;  // before what is still there; after it in a stream
  if (!channel.is_empty()) {
    moved = copy.take(op.value);
    return 0;
  }
  if (channel.reset) return ECONNRESET;
  return channel.is_at_end() ? 0 : EAGAIN;
}

// A message of no bytes is one; of the others there is nothing to do.
int write_result(const Channel& channel, const Operation& op, int64_t& moved) {
  const bool is_message = channel.form == Channel::Form::Messages;
  moved = 0;
  if (op.value == 0 && !is_message && !channel.is_socket) return 0;
  const int64_t wanted = op.value;
  if (channel.loses_write()) {
    moved = wanted;
    return 0;
  }
  if (channel.is_broken()) return channel.never_ends ? ECONNREFUSED : EPIPE;
  if (op.value == 0 && !is_message) return 0;
  if (is_message) {
    const bool fits = channel.used < channel.slots &&
                      (channel.used == 0 || channel.room(wanted, false) > 0 || wanted == 0);
    moved = fits ? wanted : 0;
    return fits ? 0 : EAGAIN;
  }
  moved = channel.room(wanted, (op.flags & kGoesOn) != 0);
  return moved > 0 ? 0 : EAGAIN;
}

// With kPartial, a transfer of several bytes may be one of a byte, or of half of them. What Linux
// transfers as a whole is not divided: short writes to pipes.
uint32_t ways_to_transfer(const Channel& channel, const Operation& op, int64_t moved) {
  const bool is_stream =
      channel.form == Channel::Form::Pipe || channel.form == Channel::Form::Stream;
  const bool is_atomic = op.kind == OpKind::ChannelWrite && channel.form == Channel::Form::Pipe &&
                         op.value <= kPageBytes;
  if ((op.flags & kPartial) == 0 || !is_stream || is_atomic || moved < 2) return 1;
  return moved < 4 ? 2 : 3;
}

int64_t transferred(int64_t moved, Outcome outcome) {
  return outcome == 0 ? moved : outcome == 1 ? 1 : moved / 2;
}

Effect apply_read(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  Channel& channel = object.channel;
  int64_t moved = 0;
  if (op.value == 0 && channel.form != Channel::Form::Messages) return {};
  const int error = read_result(channel, op, moved);
  see(me, object);
  if (channel.is_empty() && channel.form != Channel::Form::Counter)
    see(me, channel.writers_clock_ns);
  if (channel.form == Channel::Form::Messages) see(me, channel.writers_clock_ns);
  if (error == ECONNRESET) {
    channel.reset = false;
    show(me, channel.writers_clock_ns);
  }
  if (error == EAGAIN && (op.flags & kTimed)) jump_to(me, op.deadline_ns);
  if (error != 0) return {.error = error};
  if (channel.form == Channel::Form::Messages) {
    if (channel.is_empty() || (op.flags & kPeek)) return {.value = moved};
    moved = channel.take_message(outcome);
    if (op.flags & kLossy) moved = outcome;
  } else {
    moved = transferred(moved, outcome);
    if (channel.is_empty() || (op.flags & kPeek)) return {.value = moved};
    channel.take(moved);
  }
  show(me, object);
  return {.value = moved};
}

// Additions to a counter commute, so they do not see each other's time.
Effect apply_write(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  Channel& channel = object.channel;
  int64_t moved = 0;
  const int error = write_result(channel, op, moved);
  const bool is_counter = channel.form == Channel::Form::Counter;
  if (!is_counter && (op.value != 0 || channel.is_socket)) see(me, channel.readers_clock_ns);
  if (error != 0 && error != EAGAIN) return {.error = error};
  if (op.value == 0 && channel.form != Channel::Form::Messages) return {};
  if (!is_counter || error != 0) see(me, object);
  if (error == EAGAIN && (op.flags & kTimed)) jump_to(me, op.deadline_ns);
  if (error != 0) return {.error = error};
  if (channel.loses_write()) {
    channel.has_refused = true;
  } else {
    moved = transferred(moved, outcome);
    channel.put(moved, (op.flags & kGoesOn) != 0);
  }
  show(me, object);
  return {.value = moved};
}

// The error of a connect is told once.
Effect fail_by_stage(World& world, ThreadId thread, const Operation& op, int error) {
  Object& object = world.object(op.second);
  see(world.thread(thread), object);
  if (object.description.connect_error != 0) {
    object.description.connect_error = 0;
    show(world.thread(thread), object);
  }
  return {.error = error};
}

}  // namespace

int channel_result(const World& world, ThreadId thread, const Operation& op, int64_t& moved) {
  moved = 0;
  if (!is_held(world, thread, op)) return EBADF;
  if (const int error = stage_error(world, op)) return error;
  if (pending_reset(world, op) != nullptr) return ECONNRESET;
  const Channel& channel = world.object(op.object).channel;
  return op.kind == OpKind::ChannelRead ? read_result(channel, op, moved)
                                        : write_result(channel, op, moved);
}

namespace on_channel {

Outcomes enabled(const World& world, ThreadId thread, const Operation& op) {
  int64_t moved = 0;
  const int error = channel_result(world, thread, op, moved);
  if (error == EAGAIN && !must_not_wait(world, op)) return Outcomes::none();
  if (error != 0) return Outcomes::one();
  const Channel& channel = world.object(op.object).channel;
  const bool any = (op.flags & kLossy) != 0 && op.kind == OpKind::ChannelRead && channel.used > 1;
  const uint32_t ways = any ? channel.used : ways_to_transfer(channel, op, moved);
  return ways == 1 ? Outcomes::one() : Outcomes::range(ways);
}

namespace {

// What comes before any transfer: an error that its description has, or has been left. True: that
// was all, and is in the effect.
bool fails_first(World& world, ThreadId thread, const Operation& op, Effect& effect) {
  if (!is_held(world, thread, op)) {
    effect = {.error = EBADF};
    return true;
  }
  if (const int error = stage_error(world, op)) {
    effect = fail_by_stage(world, thread, op, error);
    return true;
  }
  ThreadState& me = world.thread(thread);
  if (world.object(op.second).description.is_named()) see(me, world.object(op.second));
  if (pending_reset(world, op) == nullptr) return false;
  Channel& in = world.object(world.object(op.second).description.reads).channel;
  in.reset = false;
  see(me, in.writers_clock_ns);
  show(me, in.writers_clock_ns);
  effect = {.error = ECONNRESET};
  return true;
}

bool alike(const Channel& a, const Channel& b) {
  if (a.used != b.used || a.taken != b.taken || a.count != b.count || a.departures != b.departures)
    return false;
  if (a.form == Channel::Form::Stream) return a.stream == b.stream;
  for (uint32_t i = 0; i < a.used; ++i) {
    if (a.lengths[i] != b.lengths[i]) return false;
  }
  return true;
}

}  // namespace

Effect read(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  Effect effect;
  return fails_first(world, thread, op, effect) ? effect : apply_read(world, thread, op, outcome);
}

Effect write(World& world, ThreadId thread, const Operation& op, Outcome outcome) {
  Effect effect;
  return fails_first(world, thread, op, effect) ? effect : apply_write(world, thread, op, outcome);
}

// A read and a write commute where there is enough to read, and enough room. Both orders are tried
// out.
bool commute(const World& world, ObjectId id, const Party& x, const Party& y) {
  if (!x.is(OpKind::ChannelRead) || !y.is(OpKind::ChannelWrite)) return false;
  if (x.op.object != id || y.op.object != id || (x.op.flags & kPeek) != 0) return false;
  if ((x.op.flags & (kLossy | kPartial)) != 0 || (y.op.flags & kPartial) != 0) return false;
  int64_t taken = 0;
  int64_t written = 0;
  if (channel_result(world, x.thread, x.op, taken) != 0 ||
      channel_result(world, y.thread, y.op, written) != 0)
    return false;
  if (written == 0 || world.object(id).channel.is_empty()) return false;
  const bool goes_on = (y.op.flags & kGoesOn) != 0;
  Channel read_first = world.object(id).channel;
  Channel written_first = read_first;
  read_first.take(x.op.value);
  if (read_first.room(y.op.value, goes_on) != written) return false;
  read_first.put(written, goes_on);
  written_first.put(written, goes_on);
  return written_first.take(x.op.value) == taken && alike(read_first, written_first);
}

void state(const World& world, ObjectId id, StateSink& sink) {
  const Channel& c = world.object(id).channel;
  sink.add({static_cast<int64_t>(c.form), c.slots, c.used, c.taken, c.count, c.readers, c.writers});
  sink.add({c.shut, c.reset, c.is_deaf, c.is_deserted, c.has_refused});
  sink.add({c.reader_opens, c.writer_opens});
  for (uint32_t i = 0; i < c.used; ++i) sink.add({c.lengths[i]});
  if (c.form == Channel::Form::Stream) {
    sink.add({c.stream.taken});
    for (uint32_t i = 0; i < c.stream.used; ++i)
      sink.add({c.stream.runs[i].bytes, c.stream.runs[i].pieces});
  }
  sink.add_clock(c.readers_clock_ns);
  sink.add_clock(c.writers_clock_ns);
}

}  // namespace on_channel

}  // namespace mazurka
