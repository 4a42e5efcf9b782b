#include "sim/views/state_graph.h"

#include <algorithm>
#include <deque>
#include <set>

#include "explore/trace/state_replay.h"
#include "objects/choices.h"

namespace mazurka {
namespace {

// splitmix64's finaliser over a running sum: order matters, and neighbours do not collide.
uint64_t mix(uint64_t state, uint64_t value) {
  uint64_t z = state + 0x9e3779b97f4a7c15 + value;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

template <typename... T>
void add(uint64_t& print, T... values) {
  ((print = mix(print, static_cast<uint64_t>(values))), ...);
}

void add_operation(uint64_t& print, const Operation& op) {
  add(print, op.kind, op.flags, index(op.target), index(op.object), index(op.second), op.value);
}

// Follows an execution and knows the print of the state that it is in.
class Prints {
 public:
  explicit Prints(const Execution& execution) { replay_.begin(execution); }

  uint64_t now() const {
    uint64_t print = 0;
    const World& world = replay_.world();
    for (uint32_t i = 0; i < world.thread_limit; ++i) {
      const ThreadState& thread = world.thread(ThreadId(i));
      if (thread.status == ThreadStatus::Absent) continue;
      add(print, i, thread.status, i < histories_.size() ? histories_[i] : 0);
      if (const Operation* pending = replay_.pending(ThreadId(i))) add_operation(print, *pending);
    }
    return print;
  }

  void step(const Transition& made) {
    const uint32_t thread = index(made.choice.thread);
    if (histories_.size() <= thread) histories_.resize(thread + 1);
    uint64_t& history = histories_[thread];
    add_operation(history, made.op);
    add(history, made.choice.outcome, made.effect.error, made.effect.misuse,
        index(made.effect.thread), made.effect.value);
    replay_.step();
  }

  const World& world() const { return replay_.world(); }

 private:
  StateReplay replay_;
  std::vector<uint64_t> histories_;  // by thread: what it did and was told
};

class Explorer {
 public:
  Explorer(Program& program, const Limits& limits, uint32_t most, const Describer& describer)
      : program_(program), limits_(limits), most_(most), describer_(describer) {}

  Result<StateGraph> explore() {
    if (Result<void> ran = run({}); !ran) return ran.error();
    while (!open_.empty() && graph_.is_whole) {
      const Open next = open_.front();
      open_.pop_front();
      if (has_edge(next.node, next.choice) || hangs_.count(next.node) > 0) continue;
      std::vector<PlannedStep> schedule = schedule_to(graph_, next.node);
      schedule.push_back({next.choice, OpKind::None, {}, kNoObject});
      if (Result<void> ran = run(std::move(schedule)); !ran) return ran.error();
    }
    return std::move(graph_);
  }

 private:
  // A choice at a node that no execution has taken.
  struct Open {
    uint32_t node = 0;
    Choice choice;
  };

  bool has_edge(uint32_t node, Choice choice) const { return taken_.count(key(node, choice)) > 0; }
  static uint64_t key(uint32_t node, Choice choice) {
    return uint64_t{node} << 32 | uint64_t{index(choice.thread)} << 16 | choice.outcome;
  }

  // The schedule, then the first choice always: each execution finds the states of a whole path.
  Result<void> run(std::vector<PlannedStep> schedule) {
    Plan plan;
    plan.prefix = std::move(schedule);
    plan.limits = limits_;
    plan.lists_enabled = false;
    if (Result<void> ran = program_.run(plan, execution_); !ran) return ran.error();
    Prints prints(execution_);
    uint32_t node = node_of(prints, 0, kNone);
    const auto length = static_cast<uint32_t>(execution_.transitions.size());
    for (uint32_t i = 0; i < length && graph_.is_whole; ++i) {
      const Transition& made = execution_.transitions[i];
      prints.step(made);
      const auto edge = static_cast<uint32_t>(graph_.edges.size());
      if (taken_.insert({key(node, made.choice), edge}).second) {
        graph_.edges.push_back(
            {node,
             0,
             {made.choice, made.op.kind, {}, made.op.object},
             describer_.thread(made.choice.thread) + " " + describer_.transition(made)});
        graph_.edges[edge].to = node_of(prints, i + 1, edge);
      }
      node = graph_.edges[taken_.at(key(node, made.choice))].to;
    }
    if (!graph_.is_whole) {
      if (!graph_.edges.empty())
        graph_.edges.pop_back();  // it leads to a state that is one too many
      return {};
    }
    mark_end(node);
    return {};
  }

  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t node_of(const Prints& prints, uint32_t depth, uint32_t edge) {
    const auto number = static_cast<uint32_t>(graph_.nodes.size());
    const auto [place, is_new] = graph_.by_print.try_emplace(prints.now(), number);
    if (!is_new) return place->second;
    if (number >= most_) {
      graph_.is_whole = false;
      graph_.by_print.erase(place);
      return 0;
    }
    graph_.nodes.push_back({depth, edge, ""});
    each_choice(prints.world(), limits_.bound, [&](Choice choice) {
      open_.push_back({number, choice});
      return true;
    });
    return number;
  }

  void mark_end(uint32_t node) {
    std::string& kind = graph_.nodes[node].kind;
    switch (execution_.end) {
      case End::Finished:
        kind = "end";
        break;
      case End::Deadlock:
        kind = "deadlock";
        break;
      case End::Bounded:
      case End::DepthReached:
      case End::Blocked:
        kind = "bound";
        break;
      default:
        kind = "error";
    }
    if (kind == "end" && !sightings(execution_).empty()) kind = "error";
    if (execution_.end == End::Divergence || execution_.end == End::Hung) hangs_.insert(node);
  }

  Program& program_;
  Limits limits_;
  uint32_t most_;
  const Describer& describer_;
  Execution execution_;
  StateGraph graph_;
  std::deque<Open> open_;
  std::set<uint32_t>
      hangs_;  // nodes at which a thread does not come to its next operation: nobody goes on
  std::unordered_map<uint64_t, uint32_t> taken_;  // node and choice -> edge
};

}  // namespace

std::vector<uint64_t> state_prints(const Execution& execution) {
  Prints prints(execution);
  std::vector<uint64_t> all = {prints.now()};
  for (const Transition& made : execution.transitions) {
    prints.step(made);
    all.push_back(prints.now());
  }
  return all;
}

Result<StateGraph> explore_states(Program& program, const Limits& limits, uint32_t most,
                                  const Describer& describer) {
  return Explorer(program, limits, most, describer).explore();
}

std::vector<PlannedStep> schedule_to(const StateGraph& graph, uint32_t node) {
  std::vector<PlannedStep> schedule;
  while (node != 0) {
    const StateGraph::Edge& edge = graph.edges[graph.nodes[node].parent_edge];
    schedule.push_back(edge.step);
    node = edge.from;
  }
  std::reverse(schedule.begin(), schedule.end());
  return schedule;
}

}  // namespace mazurka
