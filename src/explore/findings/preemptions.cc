#include "explore/findings/preemptions.h"

#include <algorithm>

#include "explore/trace/happens_before.h"
#include "explore/trace/replica.h"

namespace mazurka {

bool can_go_on(ThreadId last, const std::vector<Choice>& enabled) {
  return std::any_of(enabled.begin(), enabled.end(),
                     [last](const Choice& choice) { return choice.thread == last; });
}

std::optional<std::vector<bool>> preemptions_of(const Execution& execution, size_t length,
                                                uint32_t bound) {
  HappensBefore order;
  order.read(execution);
  Replica replica;
  replica.read(order, bound);
  std::vector<bool> preempts;
  Configuration done;
  ThreadId last = kMainThread;
  for (uint32_t i = 0; i < length; ++i) {
    const ThreadId next = execution.transitions[i].choice.thread;
    bool is_preemption = false;
    if (next != last) {
      replica.go_to_prefix(i);
      order.prefix(i, done);
      replica.go_to(done);
      is_preemption = !replica.enabled(order.slot_of(last)).empty();
    }
    preempts.push_back(is_preemption);
    last = next;
  }
  if (!replica.is_faithful()) return std::nullopt;
  return preempts;
}

}  // namespace mazurka
