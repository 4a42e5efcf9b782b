#include "sim/views/object_text.h"

#include <fmt/format.h>

#include "execution/object_kinds.h"

namespace mazurka {
namespace {

std::string mutex_value(const Mutex& mutex, const Describer& describer) {
  if (mutex.not_recoverable) return "not recoverable";
  if (!mutex.locked()) return mutex.owner_dead ? "free, its owner died" : "free";
  std::string text = "held by " + describer.thread(mutex.owner);
  if (mutex.depth > 1) text += fmt::format(", {} times", mutex.depth);
  return mutex.inconsistent ? text + ", inconsistent" : text;
}

std::string rwlock_value(const RwLock& lock, const Describer& describer) {
  if (lock.writer != kNoThread) return "written by " + describer.thread(lock.writer);
  if (lock.holds == 0) return "free";
  std::string text = "read by ";
  for (uint32_t i = 0; i < lock.known_readers; ++i) {
    text += (i > 0 ? ", " : "") + describer.thread(lock.readers[i].thread);
  }
  if (lock.unknown_holds > 0) text += fmt::format(" and {} more", lock.unknown_holds);
  return text;
}

// Of a condition or a futex: who waits is written in the threads.
std::string sleepers(const World& world, ObjectId id, const Describer& describer) {
  std::string text;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    if (!world.waits_on(ThreadId(i), id)) continue;
    text += (text.empty() ? "waited for by " : ", ") + describer.thread(ThreadId(i));
  }
  return text.empty() ? "nobody waits" : text;
}

std::string named_value(const Named& named, const Describer& describer) {
  if (!named.exists) return "there is no such name";
  return named.target == kNoObject ? "exists" : "leads to " + describer.object(named.target);
}

std::string once_value(const Once& once, const Describer& describer) {
  switch (once.state) {
    case Once::State::Fresh:
      return "not begun";
    case Once::State::Running:
      return "begun by " + describer.thread(once.runner);
    case Once::State::Done:
      return "done";
  }
  return "";
}

std::string variable_value(const Variable& variable) {
  if (variable.size > sizeof variable.value) return fmt::format("{} bytes", variable.size);
  return fmt::format("{}", variable.value);
}

std::string channel_type(const Channel& channel) {
  if (channel.form == Channel::Form::Counter) return "eventfd";
  if (channel.form == Channel::Form::Connections) return "queue of connections";
  return channel.is_socket ? "socket" : "pipe";
}

std::string counted(uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// "1 of 5 waits: socket 2"
std::string connections_value(const Channel& queue, const Describer& describer) {
  std::string text = fmt::format("{} of {} wait", queue.used, queue.slots);
  for (uint32_t i = 0; i < queue.used; ++i)
    text += (i > 0 ? ", " : ": ") + describer.object(ObjectId{queue.lengths[i]});
  return text;
}

std::string channel_value(const Channel& channel, const Describer& describer) {
  if (channel.form == Channel::Form::Counter) return fmt::format("{}", channel.count);
  if (channel.form == Channel::Form::Connections) return connections_value(channel, describer);
  std::string text = channel.form == Channel::Form::Messages
                         ? counted(channel.used, "message")
                         : counted(static_cast<uint64_t>(channel.bytes()), "byte");
  if (channel.readers == 0) text += ", nobody can read it";
  if (channel.writers == 0 && !channel.never_ends) text += ", nobody can write it";
  return channel.shut ? text + ", shut" : text;
}

std::string description_value(const Description& description, const Describer& describer) {
  std::string text;
  for (uint32_t i = 0; i < description.holder_count; ++i) {
    text += (i > 0 ? ", " : "held by ") + describer.thread(description.holders[i]);
  }
  if (text.empty()) return "closed";
  return description.is_nonblocking ? text + ", non-blocking" : text;
}

std::string timer_value(const Timer& timer) {
  if (!timer.is_set()) return "not set";
  const auto seconds = [](int64_t ns) { return static_cast<double>(ns) / 1e9; };
  std::string text = fmt::format("expires at {:.6g} s", seconds(timer.expires_ns));
  if (timer.interval_ns != 0)
    text += fmt::format(", then every {:.6g} s", seconds(timer.interval_ns));
  return text;
}

// The processes that could give it up.
std::string owners(const World& world, const LockOwner& owner, const Describer& describer) {
  if (owner.process != kNoProcess) return describer.thread(owner.process);
  const Description& description = world.object(owner.description).description;
  std::string text;
  for (uint32_t i = 0; i < description.holder_count; ++i) {
    text += (i > 0 ? ", " : "") + describer.thread(description.holders[i]);
  }
  return text;
}

// "locked by T0.1; bytes 0 to 9 shared by T0.2"
std::string file_value(const World& world, ObjectId id, const Describer& describer) {
  std::string text;
  for (uint32_t i = 0; i < world.file_lock_count; ++i) {
    const FileLock& lock = world.file_locks[i];
    if (lock.file != id) continue;
    text += text.empty() ? "" : "; ";
    if (lock.is_record && lock.end == kEndOfFile)
      text += fmt::format("from byte {} on ", lock.begin);
    if (lock.is_record && lock.end != kEndOfFile)
      text += fmt::format("bytes {} to {} ", lock.begin, lock.end - 1);
    text += lock.is_shared ? "shared by " : "locked by ";
    text += owners(world, lock.owner, describer);
  }
  return text.empty() ? "not locked" : text;
}

// "exists, made by T0.1"
std::string file_name_value(const FileName& name, const Describer& describer) {
  const std::string text = name.exists ? "exists" : "does not exist";
  if (name.changed_by == kNoThread) return text;
  return text + (name.exists ? ", made by " : ", removed by ") + describer.thread(name.changed_by);
}

std::string file_data_value(const FileData& data, const Describer& describer) {
  return data.written_by == kNoThread ? "as it was"
                                      : "last written by " + describer.thread(data.written_by);
}

std::string address_value(const Address& address, const Describer& describer) {
  if (address.count == 0) return address.is_file ? "nobody is bound to it" : "free";
  std::string text = "bound to";
  for (uint32_t i = 0; i < address.count; ++i)
    text += (i > 0 ? ", " : " ") + describer.object(address.entries[i].socket);
  return text;
}

}  // namespace

std::string type_of(const Object& object) {
  switch (object.kind) {
    case ObjectKind::None:
      return "";
    case ObjectKind::Mutex:
      if (object.mutex.type == MutexType::Spin) return "spin lock";
      if (object.mutex.type == MutexType::Recursive) return "recursive mutex";
      return object.mutex.robust ? "robust mutex" : "mutex";
    case ObjectKind::Channel:
      return channel_type(object.channel);
    default:
      return name_of(object.kind);
  }
}

std::string value_of(const World& world, ObjectId id, const Describer& describer) {
  const Object& object = world.object(id);
  if (object.destroyed) return "destroyed";
  switch (object.kind) {
    case ObjectKind::None:
    case ObjectKind::Event:
    case ObjectKind::kCount:
      return "";
    case ObjectKind::Mutex:
      return mutex_value(object.mutex, describer);
    case ObjectKind::Condition:
    case ObjectKind::Futex:
      return sleepers(world, id, describer);
    case ObjectKind::RwLock:
      return rwlock_value(object.rwlock, describer);
    case ObjectKind::Barrier:
      return fmt::format("{} of {} have come", object.barrier.arrived, object.barrier.count);
    case ObjectKind::Semaphore:
      return fmt::format("{}", object.semaphore.value);
    case ObjectKind::SemSet:
      return fmt::format("{} semaphores", object.sem_set.count);
    case ObjectKind::Named:
      return named_value(object.named, describer);
    case ObjectKind::Once:
      return once_value(object.once, describer);
    case ObjectKind::Variable:
      return variable_value(object.variable);
    case ObjectKind::Channel:
      return channel_value(object.channel, describer);
    case ObjectKind::Description:
      return description_value(object.description, describer);
    case ObjectKind::Queue:
      return counted(object.queue.count, "message") + ", " + counted(object.queue.bytes, "byte");
    case ObjectKind::Timer:
      return timer_value(object.timer);
    case ObjectKind::Address:
      return address_value(object.address, describer);
    case ObjectKind::File:
      return file_value(world, id, describer);
    case ObjectKind::FileName:
      return file_name_value(object.file_name, describer);
    case ObjectKind::FileData:
      return file_data_value(object.file_data, describer);
  }
  return "";
}

bool says_nothing(const Object& object) {
  switch (object.kind) {
    case ObjectKind::Event:
      return true;
    case ObjectKind::SemSet:
      return !object.destroyed;
    case ObjectKind::Once:
      return object.once.state == Once::State::Done;
    case ObjectKind::FileName:
      return object.file_name.exists && object.file_name.changed_by == kNoThread;
    default:
      return false;
  }
}

}  // namespace mazurka
