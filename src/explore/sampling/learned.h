// What samplers learn from executions: how long they are, how many threads they have, what these do
// on which objects. All of it is a maximum or a sum, so it does not matter in which order workers
// tell it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "execution/program.h"
#include "schedule/sampling.h"

namespace mazurka {

class Learned {
 public:
  // May be called by all workers. `number`: of the execution. What threads do on objects is learned
  // from the first thousands only, because it takes time.
  void learn(const Execution& execution, uint64_t number);

  // What samplers go by from now on. To be called while nobody learns.
  std::shared_ptr<const SamplingRule> rule(const Program& program, uint32_t bug_depth) const;

  uint32_t threads() const { return threads_; }
  uint32_t steps() const { return steps_; }
  bool has_pauses() const { return has_pauses_; }

 private:
  struct OnObject {
    std::map<ThreadId, uint64_t> events;
    uint64_t all = 0;
    bool is_changed = false;
  };

  void learn_objects(const Execution& execution);

  std::mutex mutex_;
  uint32_t threads_ = 0;
  uint32_t steps_ = 0;
  bool has_pauses_ = false;
  uint64_t looked_at_ = 0;  // executions of which the objects were learned
  std::map<ObjectId, OnObject> objects_;
  std::map<ThreadId, ThreadId> creators_;
};

}  // namespace mazurka
