#include "sim/views/steps_view.h"

#include <algorithm>

#include "sim/server/json.h"

namespace mazurka {
namespace {

Json step_json(const Run& run, uint32_t i, Naming& naming) {
  const Transition& made = run.execution.transitions[i];
  return {{"thread", index(made.choice.thread)},
          {"outcome", made.choice.outcome},
          {"what", naming.describer().transition(made)},
          {"object", made.op.object == kNoObject ? Json(nullptr) : Json(index(made.op.object))},
          {"place", naming.location(made.place)},
          {"preempts", i < run.preempts.size() && run.preempts[i]}};
}

bool touches(const Transition& step, ObjectId object) {
  if (step.op.object == object || step.op.second == object) return true;
  return std::any_of(step.parts.begin(), step.parts.end(),
                     [object](const OpPart& part) { return part.object == object; });
}

}  // namespace

Json steps_json(const Run& run, uint32_t from, uint32_t to, Naming& naming) {
  to = std::min(to, run.length());
  from = std::min(from, to);
  Json steps = Json::array();
  Json edges = Json::array();
  for (uint32_t i = from; i < to; ++i) steps.push_back(step_json(run, i, naming));
  for (uint32_t i = 0; i < to; ++i) {
    run.order.each_successor(i, [&](uint32_t j) {
      const bool is_seen = i >= from || (j >= from && j < to);
      if (is_seen && run.order.is_immediate(i, j)) edges.push_back({i, j});
    });
  }
  return {
      {"run", run.id}, {"from", from}, {"steps", std::move(steps)}, {"edges", std::move(edges)}};
}

bool Wanted::fits(const Transition& step, Naming& naming) const {
  if (thread && step.choice.thread != *thread) return false;
  if (object && !touches(step, *object)) return false;
  if (location.empty()) return true;
  const std::string here = naming.location(step.place);
  return here == location || here.ends_with("/" + location);
}

}  // namespace mazurka
