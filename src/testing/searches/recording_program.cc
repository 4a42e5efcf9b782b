#include "testing/searches/recording_program.h"

namespace mazurka {
namespace {

class Hash {
 public:
  template <typename T>
  Hash& add(T value) {
    value_ = mixed(value_ * 0x9e3779b97f4a7c15 + static_cast<uint64_t>(value) + 1);
    return *this;
  }
  uint64_t value() const { return value_; }

  static uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

 private:
  uint64_t value_ = 7;
};

bool are_dependent(const Transition& a, const Transition& b) {
  return a.choice.thread == b.choice.thread || a.accesses_everything || b.accesses_everything ||
         conflict(a.accesses.data(), static_cast<uint32_t>(a.accesses.size()), b.accesses.data(),
                  static_cast<uint32_t>(b.accesses.size()));
}

void add_operation(Hash& hash, const Operation& op) {
  hash.add(op.kind)
      .add(op.flags)
      .add(index(op.target))
      .add(index(op.object))
      .add(index(op.second))
      .add(op.value);
}

void add_event(Hash& hash, const Transition& made) {
  hash.add(index(made.choice.thread)).add(made.choice.outcome);
  add_operation(hash, made.op);
  const Effect& effect = made.effect;
  hash.add(effect.error).add(effect.misuse).add(index(effect.thread)).add(effect.value);
}

void add_rwlock(Hash& hash, const RwLock& lock) {
  hash.add(index(lock.writer)).add(lock.holds);
  uint64_t readers = 0;  // in no order
  for (uint32_t i = 0; i < lock.known_readers; ++i) {
    readers += Hash().add(index(lock.readers[i].thread)).add(lock.readers[i].count).value();
  }
  hash.add(readers);
}

void add_channel(Hash& hash, const Channel& channel) {
  hash.add(channel.used)
      .add(channel.count)
      .add(channel.readers)
      .add(channel.writers)
      .add(channel.shut)
      .add(channel.reset);
  hash.add(channel.reader_opens)
      .add(channel.writer_opens)
      .add(channel.is_deaf)
      .add(channel.is_deserted)
      .add(channel.has_refused);
  for (uint32_t i = 0; i < channel.used; ++i) hash.add(channel.lengths[i]);
}

void add_description(Hash& hash, const Description& description) {
  uint64_t holders = 0;  // in no order
  for (uint32_t i = 0; i < description.holder_count; ++i)
    holders += Hash().add(index(description.holders[i])).value();
  hash.add(description.is_nonblocking).add(holders);
  hash.add(description.stage)
      .add(description.connect_error)
      .add(description.is_connecting)
      .add(index(description.address));
}

void add_address(Hash& hash, const Address& address) {
  hash.add(address.is_file).add(address.count);
  for (uint32_t i = 0; i < address.count; ++i)
    hash.add(index(address.entries[i].socket)).add(address.entries[i].host);
}

void add_file_lock(Hash& hash, const FileLock& lock) {
  hash.add(index(lock.file))
      .add(index(lock.owner.description))
      .add(index(lock.owner.process))
      .add(lock.is_record);
  hash.add(lock.is_shared).add(lock.begin).add(lock.end);
}

// Oldest first among those of a type; which of two types was there first is not looked at.
void add_messages(Hash& hash, const World& world, ObjectId queue) {
  uint64_t messages = 0;
  for (uint32_t i = 0; i < world.message_limit; ++i) {
    const Message& message = world.messages[i];
    if (message.queue != queue) continue;
    uint32_t older = 0;
    for (uint32_t j = 0; j < world.message_limit; ++j) {
      const Message& other = world.messages[j];
      older += other.queue == queue && other.type == message.type && other.order < message.order;
    }
    messages +=
        Hash().add(message.type).add(message.length).add(index(message.sender)).add(older).value();
  }
  hash.add(messages);
}

void add_object(Hash& hash, const Object& object) {
  hash.add(object.kind).add(object.destroyed);
  switch (object.kind) {
    case ObjectKind::Mutex:
      hash.add(index(object.mutex.owner)).add(object.mutex.depth).add(object.mutex.owner_dead);
      hash.add(object.mutex.inconsistent).add(object.mutex.not_recoverable);
      break;
    case ObjectKind::RwLock:
      add_rwlock(hash, object.rwlock);
      break;
    case ObjectKind::Barrier:
      hash.add(object.barrier.arrived).add(object.barrier.round);
      break;
    case ObjectKind::Semaphore:
      hash.add(object.semaphore.value);
      break;
    case ObjectKind::Named:
      hash.add(object.named.exists).add(object.named.generation);
      break;
    case ObjectKind::Once:
      hash.add(object.once.state).add(index(object.once.runner));
      break;
    case ObjectKind::Variable:
      hash.add(object.variable.value);
      break;
    case ObjectKind::Channel:
      add_channel(hash, object.channel);
      break;
    case ObjectKind::Description:
      add_description(hash, object.description);
      break;
    case ObjectKind::Timer:
      hash.add(object.timer.expires_ns).add(object.timer.interval_ns);
      break;
    case ObjectKind::FileName:
      hash.add(object.file_name.exists)
          .add(index(object.file_name.changed_by))
          .add(index(object.file_name.target));
      hash.add(object.file_name.entries_changed_by);
      break;
    case ObjectKind::FileData:
      hash.add(index(object.file_data.written_by)).add(index(object.file_data.links_changed_by));
      break;
    case ObjectKind::Address:
      add_address(hash, object.address);
      break;
    default:
      break;
  }
}

}  // namespace

// Each event is named by itself and by the names of the events before it that it depends on, in no
// order.
uint64_t trace_of(const Execution& execution) {
  std::vector<uint64_t> names;
  uint64_t trace = 0;
  for (const Transition& made : execution.transitions) {
    uint64_t past = 0;
    for (size_t j = 0; j < names.size(); ++j) {
      if (are_dependent(execution.transitions[j], made)) past += Hash::mixed(names[j]);
    }
    Hash name;
    add_event(name, made);
    names.push_back(name.add(past).value());
    trace += Hash::mixed(names.back() ^ 77);
  }
  return trace;
}

// Objects, threads, and what each thread has done and seen.
uint64_t state_of(const World& world, const Execution& execution) {
  std::vector<Hash> pasts(world.thread_limit);
  for (const Transition& made : execution.transitions)
    add_event(pasts[index(made.choice.thread)], made);
  Hash hash;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    const ThreadState& thread = world.threads[i];
    const bool waits = thread.waiting_on != kNoObject;
    hash.add(thread.status)
        .add(thread.killed)
        .add(thread.joined)
        .add(waits && thread.woken)
        .add(waits);
    if (thread.status == ThreadStatus::AtOperation) add_operation(hash, thread.pending);
    const ProcessState& process = world.processes[i];
    hash.add(process.exists)
        .add(process.ended)
        .add(process.reaped)
        .add(process.ended ? process.wait_status : 0);
    hash.add(pasts[i].value());
  }
  for (uint32_t i = 0; i < world.object_limit; ++i) {
    add_object(hash, world.objects[i]);
    if (world.objects[i].kind == ObjectKind::Queue) add_messages(hash, world, ObjectId(i));
  }
  for (uint32_t i = 0; i < world.file_lock_count; ++i) add_file_lock(hash, world.file_locks[i]);
  return hash.add(execution.end).value();
}

}  // namespace mazurka
