#include "explore/classic/schedule_ways.h"

#include "base/check.h"
#include "explore/findings/preemptions.h"

namespace mazurka {

bool add_ways(const Execution& execution, size_t known, uint32_t preemptions, uint32_t most,
              std::vector<Way>& ways) {
  const std::vector<Transition>& transitions = execution.transitions;
  bool was_cut = false;
  for (size_t i = known; i < transitions.size(); ++i) {
    const ThreadId last = i == 0 ? kMainThread : transitions[i - 1].choice.thread;
    const Transition& made = transitions[i];
    const bool is_busy = can_go_on(last, made.enabled);
    MAZURKA_CHECK(!is_busy || made.choice.thread == last);
    for (const Choice& choice : made.enabled) {
      if (choice == made.choice) continue;
      const uint32_t needed = preemptions + (is_busy && choice.thread != last ? 1 : 0);
      if (needed > most) {
        was_cut = true;
      } else {
        ways.push_back({static_cast<uint32_t>(i), choice, needed});
      }
    }
  }
  return was_cut;
}

void write_way(const std::vector<PlannedStep>* steps, const Way& way, const Limits& limits,
               Plan& out) {
  out = {};
  out.limits = limits;
  out.policy = Policy::Stay;
  if (steps == nullptr) return;
  out.prefix.assign(steps->begin(), steps->begin() + way.position);
  out.prefix.push_back({way.choice, OpKind::None, {}, kNoObject});
}

}  // namespace mazurka
