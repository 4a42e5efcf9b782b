// The states that an execution went through, made again from its log on the models: for what a
// search wants to know about operations that were pending then.
#pragma once

#include <vector>

#include "execution/execution.h"
#include "objects/world.h"

namespace mazurka {

// Only one at a time on a kernel thread: they share their world, which is large.
class StateReplay {
 public:
  // The state before the first transition. `execution` must stay as it is.
  void begin(const Execution& execution);
  // The state after one more transition. Requires that there is one.
  void step();

  size_t position() const { return position_; }
  const World& world() const { return *world_; }

  // What the thread stands before here; null if it stands at exit or is not there. A thread whose
  // process another one has ended still stands before what it did not come to do.
  const Operation* pending(ThreadId id) const;
  // The transition with which it goes on in this execution; null if it does not.
  const Transition* next(ThreadId id) const;
  uint32_t thread_limit() const { return world_->thread_limit; }

 private:
  // What a thread does in this execution.
  struct Part {
    std::vector<uint32_t> steps;  // places of its transitions
    size_t next = 0;              // in `steps`
    const ThreadAtEnd* at_end = nullptr;
    uint32_t part_begin = 0;  // room for the parts of its pending operation, in World::parts
    uint32_t part_room = 0;
    bool stands = false;
  };

  void take_over(const Invisible& invisible);
  // Puts the thread before its next operation, or at exit.
  void stand(ThreadId id);
  Operation with_parts(Part& part, Operation op, const std::vector<OpPart>& parts);

  const Execution* execution_ = nullptr;
  size_t position_ = 0;
  World* world_ = nullptr;
  std::vector<Part> parts_;  // by thread
};

}  // namespace mazurka
