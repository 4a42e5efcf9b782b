#include "explore/trace/event_tree.h"

#include <algorithm>

namespace mazurka {
namespace {

// Nothing, or why it cannot be the label of an .aut file.
std::string trouble_with(const std::string& name, lts::ActionId action) {
  if (action == lts::kTau || action == lts::kTauT) {
    return "the event '" + name + "' has the name of an internal action";
  }
  const bool has_control = std::any_of(name.begin(), name.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (has_control) return "the name of an event has a line break or a control character";
  return "";
}

}  // namespace

void EventTree::add(const Execution& execution, const Program& program) {
  uint32_t at = 0;
  for (const Transition& transition : execution.transitions) {
    if (transition.op.kind != OpKind::Event) continue;
    const auto fresh = static_cast<uint32_t>(nodes_.size());
    const auto [place, is_new] =
        nodes_[at].next.try_emplace(program.object_name(transition.op.object), fresh);
    at = place->second;
    if (is_new) nodes_.emplace_back();
  }
  if (execution.end == End::Finished || execution.end == End::Deadlock) nodes_[at].may_stop = true;
}

// States are numbered breadth first, whatever the order of the executions was.
Result<ExtractedLts> EventTree::extract() const {
  ExtractedLts made;
  std::vector<lts::Transition> transitions;
  std::vector<uint32_t> order = {0};  // nodes; the place is the state
  std::vector<uint32_t> stopping;
  for (uint32_t state = 0; state < order.size(); ++state) {
    const Node& node = nodes_[order[state]];
    for (const auto& [name, target] : node.next) {
      const lts::ActionId action = made.actions.intern(name);
      if (std::string why = trouble_with(name, action); !why.empty()) return Error{std::move(why)};
      transitions.push_back({state, action, static_cast<uint32_t>(order.size())});
      order.push_back(target);
    }
    if (node.may_stop && !node.next.empty()) stopping.push_back(state);
  }
  auto count = static_cast<uint32_t>(order.size());
  for (const uint32_t state : stopping) transitions.push_back({state, lts::kTau, count});
  if (!stopping.empty()) ++count;
  made.lts = lts::ExplicitLts(0, count, transitions);
  return made;
}

}  // namespace mazurka
