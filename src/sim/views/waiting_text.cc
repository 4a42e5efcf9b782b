#include "sim/views/waiting_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "explore/findings/explanation.h"

namespace mazurka {
namespace {

constexpr size_t kMostNamed = 4;

class Reader {
 public:
  Reader(const World& world, ThreadId thread, const Operation& op, const std::vector<OpPart>& parts,
         const Takings& takings, const Describer& describer, const Execution& execution)
      : world_(world),
        thread_(thread),
        op_(op),
        parts_(parts),
        takings_(takings),
        describer_(describer),
        execution_(execution) {}

  Waiting read() {
    const ThreadState& state = world_.thread(thread_);
    const bool waits_for_wake = state.waiting_on != kNoObject && !state.woken;
    waiting_.is_asleep = waits_for_wake || op_.kind == OpKind::Yield;
    waiting_.holders = holders_of(world_, thread_, op_);
    if (op_.kind == OpKind::Yield) {
      waiting_.why = "waits until another thread has moved";
    } else if (waits_for_wake) {
      waiting_.why = "waits to be woken";
    } else if (!waiting_.holders.empty()) {
      const bool is_end = op_.kind == OpKind::Join || op_.kind == OpKind::WaitChild;
      waiting_.why = (is_end ? "waits for the end of " : "held by ") + names(waiting_.holders);
    } else {
      waiting_.why = reason();
    }
    return std::move(waiting_);
  }

 private:
  std::string reason() {
    switch (op_.kind) {
      case OpKind::WaitChild:
        add_children();
        return "waits for the end of a child" + after(": ");
      case OpKind::SemWait:
        return "its value is 0" + taken(op_.object);
      case OpKind::Semop:
        return semaphore_in_the_way();
      case OpKind::BarrierLeave:
        return "waits until all have come";
      case OpKind::ChannelRead:
        add_ends(op_.object, &Description::writes);
        return "it is empty" + could("write to it");
      case OpKind::ChannelWrite:
        add_ends(op_.object, &Description::reads);
        return "it is full" + could("read from it");
      case OpKind::QueueReceive:
        return world_.object(op_.object).queue.count == 0 ? "it is empty"
                                                          : "none of its messages is of the type";
      case OpKind::QueueSend:
        return "it is full";
      case OpKind::SocketAccept:
        return "nobody has connected";
      case OpKind::SocketConnect:
        return "too many wait already to be accepted";
      case OpKind::DatagramSend:
        return "the receiver has not read what was sent before";
      case OpKind::Poll:
        return parts_.empty() ? "waits for a signal" : "none is ready: " + polled();
      case OpKind::FifoWait:
        return "nobody has opened the other end";
      case OpKind::SignalPause:
        return "waits for a signal";
      case OpKind::SignalWait:
        return "no such signal is pending";
      case OpKind::TimerRead:
        return "the timer is not set";
      default:
        return (op_.flags & kSpinning) != 0 ? "waits until somebody changes it"
                                            : "cannot happen now";
    }
  }

  std::string semaphore_in_the_way() {
    for (const OpPart& part : parts_) {
      const int64_t value = world_.object(part.object).semaphore.value;
      const bool is_in_the_way = part.sem.delta == 0 ? value != 0 : value + part.sem.delta < 0;
      if (!is_in_the_way) continue;
      return fmt::format("the value of {} is {}", describer_.object(part.object), value) +
             (part.sem.delta < 0 ? taken(part.object) : "");
    }
    return "the semaphores' values are too small";
  }

  std::string taken(ObjectId semaphore) {
    waiting_.hopes = takings_.takers(semaphore, thread_);
    if (waiting_.hopes.empty()) return "";
    return fmt::format("; {} {} taken it", names(waiting_.hopes),
                       waiting_.hopes.size() == 1 ? "has" : "have");
  }

  std::string polled() const {
    std::string text;
    for (size_t i = 0; i < parts_.size() && i < kMostNamed; ++i) {
      text += (i > 0 ? ", " : "") + describer_.object(parts_[i].object);
    }
    return parts_.size() > kMostNamed
               ? text + fmt::format(" and {} others", parts_.size() - kMostNamed)
               : text;
  }

  // --- who could end it

  void add_children() {
    const ProcessId mine = world_.thread(thread_).process;
    for (uint32_t i = 0; i < world_.thread_limit; ++i) {
      const ProcessState& process = world_.process(ProcessId(i));
      if (process.exists && !process.ended && process.parent == mine)
        waiting_.hopes.push_back(ProcessId(i));
    }
  }

  // All threads of the processes that hold this end of the channel: each could use it.
  void add_ends(ObjectId channel, ObjectId Description::*end) {
    std::vector<ProcessId> processes;
    for (uint32_t i = 0; i < world_.object_limit; ++i) {
      const Object& object = world_.object(ObjectId(i));
      if (object.kind != ObjectKind::Description || object.description.*end != channel) continue;
      processes.insert(processes.end(), object.description.holders,
                       object.description.holders + object.description.holder_count);
    }
    for (uint32_t i = 0; i < world_.thread_limit; ++i) {
      const ThreadState& other = world_.thread(ThreadId(i));
      const bool is_there = other.status == ThreadStatus::AtOperation && ThreadId(i) != thread_;
      const bool holds =
          std::find(processes.begin(), processes.end(), other.process) != processes.end();
      if (is_there && holds) waiting_.hopes.push_back(ThreadId(i));
    }
  }

  std::string could(const char* what) const {
    return waiting_.hopes.empty() ? "" : fmt::format("; {} could {}", names(waiting_.hopes), what);
  }
  std::string after(const char* separator) const {
    return waiting_.hopes.empty() ? "" : separator + names(waiting_.hopes);
  }

  std::string names(const std::vector<ThreadId>& threads) const {
    std::string text;
    for (size_t i = 0; i < threads.size() && i < kMostNamed; ++i) {
      text += (i > 0 ? ", " : "") + describer_.thread_title(threads[i], execution_);
    }
    return threads.size() > kMostNamed
               ? text + fmt::format(" and {} others", threads.size() - kMostNamed)
               : text;
  }

  const World& world_;
  const ThreadId thread_;
  const Operation& op_;
  const std::vector<OpPart>& parts_;
  const Takings& takings_;
  const Describer& describer_;
  const Execution& execution_;
  Waiting waiting_;
};

}  // namespace

void Takings::step(const Transition& made) {
  if (made.effect.error != 0) return;
  const ThreadId thread = made.choice.thread;
  if (made.op.kind == OpKind::SemWait) --given_[made.op.object][thread];
  if (made.op.kind == OpKind::SemPost) ++given_[made.op.object][thread];
  if (made.op.kind != OpKind::Semop) return;
  for (const OpPart& part : made.parts) given_[part.object][thread] += part.sem.delta;
}

std::vector<ThreadId> Takings::takers(ObjectId semaphore, ThreadId waiting) const {
  std::vector<ThreadId> threads;
  const auto known = given_.find(semaphore);
  if (known == given_.end()) return threads;
  for (const auto& [thread, given] : known->second) {
    if (given < 0 && thread != waiting) threads.push_back(thread);
  }
  return threads;
}

Waiting waiting_of(const World& world, ThreadId thread, const Operation& op,
                   const std::vector<OpPart>& parts, const Takings& takings,
                   const Describer& describer, const Execution& execution) {
  return Reader(world, thread, op, parts, takings, describer, execution).read();
}

}  // namespace mazurka
