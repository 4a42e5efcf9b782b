#include "explore/trace/compose.h"

#include "schedule/composed.h"

namespace mazurka {
namespace {

void add_all(const Transition& step, ComposedTransition& out) {
  for (const Access& access : step.accesses) out.add(access.resource, access.mode);
  out.overflow = out.overflow || step.accesses_everything;
}

bool takes_mutex(const Transition& step) {
  return step.op.kind == OpKind::MutexLock && !step.is_hurried && step.effect.error == 0 &&
         step.effect.misuse == Misuse::None;
}

}  // namespace

void compose(Execution& execution) {
  std::vector<Transition>& steps = execution.transitions;
  for (size_t i = 0; i < steps.size();) {
    Transition& first = steps[i];
    ComposedTransition whole;
    whole.begin(first.op, takes_mutex(first));
    add_all(first, whole);
    for (++i; i < steps.size() && steps[i].is_hurried; ++i) {
      whole.note(steps[i].op);
      add_all(steps[i], whole);
      steps[i].accesses.clear();
      steps[i].accesses_everything = false;
    }
    whole.end();
    first.accesses.assign(whole.accesses, whole.accesses + whole.count);
    first.accesses_everything = whole.overflow;
  }
}

}  // namespace mazurka
