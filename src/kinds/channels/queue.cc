#include "kinds/channels/queue.h"

#include <errno.h>

#include "objects/clock.h"
#include "objects/kind_row.h"
#include "objects/state_sink.h"

namespace mazurka {

bool Queue::has_room(int64_t length) const {
  if (form == Form::Posix) return count < most;
  return bytes + length <= most && count + 1 <= most;
}

namespace {

const Queue& queue_of(const World& world, const Operation& op) {
  return world.object(op.object).queue;
}

bool is_posix(const World& world, const Operation& op) {
  return queue_of(world, op).form == Queue::Form::Posix;
}

// Of two messages that the receive would take: whether it takes this type first, however old the
// other is.
bool goes_first(const World& world, const Operation& receive, int64_t type, int64_t other) {
  if (is_posix(world, receive)) return type > other;
  return receive.desired < 0 && type < other;
}

bool is_held(const World& world, ThreadId thread, const Operation& op) {
  if (op.second == kNoObject) return true;
  return world.object(op.second).description.is_held_by(world.thread(thread).process);
}

bool is_nonblocking(const World& world, const Operation& op) {
  return op.second != kNoObject && world.object(op.second).description.is_nonblocking;
}

bool must_not_wait(const World& world, const Operation& op) {
  return (op.flags & (kTry | kTimed)) != 0 || is_nonblocking(world, op);
}

// A descriptor that does not block does not wait for a deadline, either.
int error_instead_of_waiting(const World& world, const Operation& op) {
  if ((op.flags & kTimed) != 0 && !is_nonblocking(world, op)) return ETIMEDOUT;
  return op.kind == OpKind::QueueReceive && !is_posix(world, op) ? ENOMSG : EAGAIN;
}

uint32_t free_place(World& world) {
  for (uint32_t i = 0; i < world.message_limit; ++i) {
    if (world.messages[i].queue == kNoObject) return i;
  }
  return world.message_limit < kMaxMessages ? world.message_limit++ : kNoMessage;
}

Effect send(World& world, ThreadId thread, const Operation& op) {
  Queue& queue = world.object(op.object).queue;
  const uint32_t place = free_place(world);
  world.last_message = place;
  if (place == kNoMessage) return {.error = ENOMEM};
  world.messages[place] = {.queue = op.object,
                           .length = static_cast<uint32_t>(op.value),
                           .type = op.desired,
                           .order = queue.sent++,
                           .sender = thread};
  ++queue.count;
  queue.bytes += static_cast<uint32_t>(op.value);
  queue.last_sender = world.thread(thread).process;
  return {};
}

// What the message was stays in its place until that is used again.
Effect receive(World& world, ThreadId thread, const Operation& op) {
  Queue& queue = world.object(op.object).queue;
  world.last_message = message_for(world, op);
  Message& message = world.messages[world.last_message];
  message.queue = kNoObject;
  --queue.count;
  queue.bytes -= message.length;
  queue.last_receiver = world.thread(thread).process;
  return {.thread = message.sender, .value = message.length};
}

Effect apply_transfer(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  const int result = queue_result(world, op);
  see(me, object);
  if (result == kQueueWaits) {
    const int error = error_instead_of_waiting(world, op);
    if (error == ETIMEDOUT) jump_to(me, op.deadline_ns);
    return {.error = error};
  }
  if (result != 0) return {.error = result};
  show(me, object);
  return op.kind == OpKind::QueueSend ? send(world, thread, op) : receive(world, thread, op);
}

// A thread that waited when the queue went is told so, any other knows no such queue; whether a
// thread that would have to wait had called already is not decided, so it counts as waiting. What
// was in the queue stays for this question.
int error_after_removal(const World& world, const Operation& op) {
  const bool waited = is_queue_transfer(op.kind) && !must_not_wait(world, op) &&
                      queue_result(world, op) == kQueueWaits;
  return waited ? EIDRM : EINVAL;
}

Effect apply_remove(World& world, ThreadId thread, const Operation& op) {
  ThreadState& me = world.thread(thread);
  Object& object = world.object(op.object);
  object.destroyed = true;
  show(me, object);
  if (op.second == kNoObject) return {};
  see_and_show(me, world.object(op.second));
  world.object(op.second).named.exists = false;
  return {};
}

}  // namespace

bool takes_type(const World& world, const Operation& receive, int64_t type) {
  if (is_posix(world, receive) || receive.desired == 0) return true;
  if (receive.flags & kExcept) return type != receive.desired;
  return receive.desired > 0 ? type == receive.desired : type <= -receive.desired;
}

bool is_preferred(const World& world, const Operation& receive, int64_t sent, int64_t found) {
  return takes_type(world, receive, sent) && goes_first(world, receive, sent, found);
}

uint32_t message_for(const World& world, const Operation& receive) {
  uint32_t best = kNoMessage;
  for (uint32_t i = 0; i < world.message_limit; ++i) {
    const Message& message = world.messages[i];
    if (message.queue != receive.object || !takes_type(world, receive, message.type)) continue;
    if (best == kNoMessage) {
      best = i;
      continue;
    }
    const Message& other = world.messages[best];
    const bool is_older =
        message.order < other.order && !goes_first(world, receive, other.type, message.type);
    if (is_older || goes_first(world, receive, message.type, other.type)) best = i;
  }
  return best;
}

int queue_result(const World& world, const Operation& op) {
  if (op.kind == OpKind::QueueSend) return queue_of(world, op).has_room(op.value) ? 0 : kQueueWaits;
  const uint32_t found = message_for(world, op);
  if (found == kNoMessage) return kQueueWaits;
  const bool fits = world.messages[found].length <= op.value || (op.flags & kCut) != 0;
  return fits ? 0 : E2BIG;
}

namespace on_queue {
namespace {

// True: the call fails by what is behind it, with that effect.
bool is_gone(World& world, ThreadId thread, const Operation& op, Effect& effect) {
  const Object& object = world.object(op.object);
  if (!object.destroyed) return false;
  see(world.thread(thread), object);
  effect = {.error = error_after_removal(world, op)};
  return true;
}

bool is_closed_or_gone(World& world, ThreadId thread, const Operation& op, Effect& effect) {
  if (is_held(world, thread, op)) return is_gone(world, thread, op, effect);
  effect = {.error = EBADF};
  return true;
}

}  // namespace

Outcomes transfer_enabled(const World& world, ThreadId thread, const Operation& op) {
  if (world.object(op.object).destroyed || !is_held(world, thread, op) || must_not_wait(world, op))
    return Outcomes::one();
  return queue_result(world, op) == kQueueWaits ? Outcomes::none() : Outcomes::one();
}

Effect transfer(World& world, ThreadId thread, const Operation& op, Outcome) {
  Effect effect;
  return is_closed_or_gone(world, thread, op, effect) ? effect : apply_transfer(world, thread, op);
}

Effect get(World& world, ThreadId thread, const Operation& op, Outcome) {
  Effect effect;
  if (is_closed_or_gone(world, thread, op, effect)) return effect;
  see(world.thread(thread), world.object(op.object));
  return {.value = world.object(op.object).queue.count};
}

Effect set(World& world, ThreadId thread, const Operation& op, Outcome) {
  Effect effect;
  if (is_closed_or_gone(world, thread, op, effect)) return effect;
  see_and_show(world.thread(thread), world.object(op.object));
  world.object(op.object).queue.most = static_cast<uint32_t>(op.value);
  return {};
}

Effect remove(World& world, ThreadId thread, const Operation& op, Outcome) {
  Effect effect;
  if (is_gone(world, thread, op, effect)) return effect;
  see(world.thread(thread), world.object(op.object));
  return apply_remove(world, thread, op);
}

// --- conditional dependency

namespace {

// A receive: whether a message that is sent first, or later, makes no difference to it.
bool ignores_message(const World& world, const Operation& receive, int64_t type) {
  const uint32_t found = message_for(world, receive);
  if (found == kNoMessage) return !takes_type(world, receive, type);
  return !is_preferred(world, receive, type, world.messages[found].type);
}

}  // namespace

// Requires that x and y do what they do here at once, or fail. System V tells who was the last to
// send and to receive.
bool commute(const World& world, ObjectId id, const Party& x, const Party& y) {
  const Queue& queue = world.object(id).queue;
  if (world.object(id).destroyed || !is_queue_transfer(x.op.kind) || !is_queue_transfer(y.op.kind))
    return false;
  const bool is_posix = queue.form == Queue::Form::Posix;
  if (x.is(OpKind::QueueReceive) && y.is(OpKind::QueueSend)) {
    return queue_result(world, y.op) == 0 && ignores_message(world, x.op, y.op.desired);
  }
  if (x.is(OpKind::QueueReceive)) return false;
  const bool both_fit = queue.count + 2 <= queue.most;
  return is_posix && y.is(OpKind::QueueSend) && both_fit && x.op.desired != y.op.desired;
}

void state(const World& world, ObjectId id, StateSink& sink) {
  const Queue& queue = world.object(id).queue;
  const bool is_posix = queue.form == Queue::Form::Posix;
  sink.add({queue.count, queue.bytes, queue.most});
  if (!is_posix) sink.add({index(queue.last_sender), index(queue.last_receiver)});
  // Each with its place; where it is kept is nobody's business.
  StateSet messages;
  for (uint32_t i = 0; i < world.message_limit; ++i) {
    const Message& message = world.messages[i];
    if (message.queue != id) continue;
    int64_t older = 0;
    for (uint32_t j = 0; j < world.message_limit; ++j) {
      const Message& other = world.messages[j];
      const bool is_alike = !is_posix || other.type == message.type;
      older += other.queue == id && is_alike && other.order < message.order;
    }
    messages.add({message.type, message.length, index(message.sender), older});
  }
  sink.add({messages.value()});
}

}  // namespace on_queue

}  // namespace mazurka
