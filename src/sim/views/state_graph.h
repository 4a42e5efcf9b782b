// The graph of a program's global states, as figure 1 of VeriSoft's paper has it; for programs that
// are small enough.
//
// States are told apart by what each thread did and was told, and where each stands: finer than the
// program's memory might be, never coarser. The same as end_states.h has it, for all states on the
// way.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "execution/program.h"
#include "sim/runs.h"

namespace mazurka {

struct StateGraph {
  struct Edge {
    uint32_t from = 0;
    uint32_t to = 0;
    PlannedStep step;
    std::string label;
  };
  struct Node {
    uint32_t depth = 0;        // steps of `schedule`
    uint32_t parent_edge = 0;  // the one by which it was reached first; of the initial state, none
    std::string kind;          // "", "deadlock", "end", "error"
  };

  std::vector<Node> nodes;  // the first is the initial state
  std::vector<Edge> edges;
  std::unordered_map<uint64_t, uint32_t> by_print;
  bool is_whole = true;  // false: there are more states than were wanted
};

// The print of the state after each step of an execution, the initial state's first.
std::vector<uint64_t> state_prints(const Execution& execution);

// Explores at most `most` states.
Result<StateGraph> explore_states(Program& program, const Limits& limits, uint32_t most,
                                  const Describer& describer);

// The steps that lead to a node.
std::vector<PlannedStep> schedule_to(const StateGraph& graph, uint32_t node);

}  // namespace mazurka
