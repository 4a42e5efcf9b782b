#include "kinds/channels/channel_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "kinds/channels/data_text.h"
#include "objects/world.h"

namespace mazurka::channel_words {
namespace {

constexpr size_t kMostPolled = 4;

// "1 of 5 waits: socket 2"
std::string connections_value(const Channel& queue, const Namer& names) {
  std::string text = fmt::format("{} of {} wait", queue.used, queue.slots);
  for (uint32_t i = 0; i < queue.used; ++i)
    text += (i > 0 ? ", " : ": ") + names.object(ObjectId{queue.lengths[i]});
  return text;
}

// All threads of the processes that hold this end of the channel: each could use it.
std::vector<ThreadId> users_of(ObjectId Description::*end, const Stuck& stuck) {
  const World& world = stuck.world;
  std::vector<ProcessId> processes;
  for (uint32_t i = 0; i < world.object_limit; ++i) {
    const Object& object = world.object(ObjectId(i));
    if (object.kind != ObjectKind::Description || object.description.*end != stuck.op.object)
      continue;
    processes.insert(processes.end(), object.description.holders,
                     object.description.holders + object.description.holder_count);
  }
  std::vector<ThreadId> users;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& other = world.thread(ThreadId(i));
    const bool is_there = other.status == ThreadStatus::AtOperation && ThreadId(i) != stuck.thread;
    const bool holds =
        std::find(processes.begin(), processes.end(), other.process) != processes.end();
    if (is_there && holds) users.push_back(ThreadId(i));
  }
  return users;
}

}  // namespace

// --- objects

std::string channel_type(const Object& object) {
  if (object.channel.form == Channel::Form::Counter) return "eventfd";
  if (object.channel.form == Channel::Form::Connections) return "queue of connections";
  return object.channel.is_socket ? "socket" : "pipe";
}

std::string channel_value(const World& world, ObjectId id, const Namer& names) {
  const Channel& channel = world.object(id).channel;
  if (channel.form == Channel::Form::Counter) return fmt::format("{}", channel.count);
  if (channel.form == Channel::Form::Connections) return connections_value(channel, names);
  std::string text = channel.form == Channel::Form::Messages
                         ? counted(channel.used, "message")
                         : counted(static_cast<uint64_t>(channel.bytes()), "byte");
  if (channel.readers == 0) text += ", nobody can read it";
  if (channel.writers == 0 && !channel.never_ends) text += ", nobody can write it";
  return channel.shut ? text + ", shut" : text;
}

std::string description_value(const World& world, ObjectId id, const Namer& names) {
  const Description& description = world.object(id).description;
  std::string text;
  for (uint32_t i = 0; i < description.holder_count; ++i) {
    text += (i > 0 ? ", " : "held by ") + names.thread(description.holders[i]);
  }
  if (text.empty()) return "closed";
  return description.is_nonblocking ? text + ", non-blocking" : text;
}

std::string queue_value(const World& world, ObjectId id, const Namer&) {
  const Queue& queue = world.object(id).queue;
  return counted(queue.count, "message") + ", " + counted(queue.bytes, "byte");
}

std::string timer_value(const World& world, ObjectId id, const Namer&) {
  const Timer& timer = world.object(id).timer;
  if (!timer.is_set()) return "not set";
  const auto seconds = [](int64_t ns) { return static_cast<double>(ns) / 1e9; };
  std::string text = fmt::format("expires at {:.6g} s", seconds(timer.expires_ns));
  if (timer.interval_ns != 0)
    text += fmt::format(", then every {:.6g} s", seconds(timer.interval_ns));
  return text;
}

// --- operations

// Which of several ways a transfer went.
std::string way(const Operation& op, Outcome outcome, const Namer&) {
  if (outcome == kOnlyOutcome) return "";
  if ((op.flags & kLossy) != 0) return fmt::format(", overtaking {}", outcome);
  return outcome == 1 ? ", one byte" : ", half";
}

std::string written(const Operation&, const Effect& effect, const std::string& said) {
  return sent_text(said, effect.value);
}

std::string sent(const Operation& op, const Effect&, const std::string& said) {
  return sent_text(said, op.value);
}

Why channel_is_empty(const Stuck& stuck) {
  return {"it is empty", users_of(&Description::writes, stuck), "; ", " could write to it"};
}

Why channel_is_full(const Stuck& stuck) {
  return {"it is full", users_of(&Description::reads, stuck), "; ", " could read from it"};
}

Why none_is_ready(const Stuck& stuck) {
  const Parts& parts = stuck.parts;
  if (parts.empty()) return {"waits for a signal"};
  std::string text = "none is ready: ";
  for (size_t i = 0; i < parts.size() && i < kMostPolled; ++i) {
    text += (i > 0 ? ", " : "") + stuck.names.object(parts[i].object);
  }
  if (parts.size() > kMostPolled) text += fmt::format(" and {} others", parts.size() - kMostPolled);
  return {text};
}

Why no_such_message(const Stuck& stuck) {
  const bool is_empty = stuck.world.object(stuck.op.object).queue.count == 0;
  return {is_empty ? "it is empty" : "none of its messages is of the type"};
}

Why queue_is_full(const Stuck&) { return {"it is full"}; }

Why timer_is_not_set(const Stuck&) { return {"the timer is not set"}; }

}  // namespace mazurka::channel_words
