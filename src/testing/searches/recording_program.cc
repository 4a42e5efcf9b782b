#include "testing/searches/recording_program.h"

#include "objects/state_sink.h"

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

void add_object(Hash& hash, const World& world, ObjectId id) {
  const auto put = [](void* to, int64_t value) { static_cast<Hash*>(to)->add(value); };
  StateSink sink{put, &hash, false};
  add_object_state(world, id, sink);
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
  for (uint32_t i = 0; i < world.object_limit; ++i) add_object(hash, world, ObjectId(i));
  return hash.add(execution.end).value();
}

}  // namespace mazurka
