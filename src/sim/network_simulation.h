// Simulates a network of labelled transition systems by the same page: processes in place of
// threads, actions in place of operations. A state is the local state of each process, so nothing
// has to be run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "lts/model/network.h"
#include "lts/model/tester.h"
#include "sim/server/simulation.h"

namespace mazurka {

class NetworkSimulation final : public Simulation {
 public:
  NetworkSimulation(lts::Network network, std::optional<lts::Tester> tester, std::string name);

  Result<Json> answer(const std::string& question, const Json& request) override;

 private:
  using Locals = std::vector<uint32_t>;  // a local state of each process
  using Answer = Result<Json> (NetworkSimulation::*)(const Json& request);

  // One way on: an action, who takes part, and where they go.
  struct Move {
    lts::ActionId action = lts::kTau;
    std::vector<uint32_t> processes;
    Locals to;
    uint32_t number = 0;  // among the moves of its state
  };
  struct Run {
    std::vector<Locals> states;  // one more than moves
    std::vector<Move> moves;
  };

  Result<Json> hello(const Json& request);
  Result<Json> go(const Json& request);
  Result<Json> run_to(const Json& request);
  Result<Json> visit(const Json& request);
  Result<Json> state(const Json& request);
  Result<Json> steps(const Json& request);
  // NOLINTNEXTLINE(bugprone-exception-escape): swaps steps, not objects
  Result<Json> swap(const Json& request);
  Result<Json> graph(const Json& request);
  Result<Json> go_to_node(const Json& request);

  std::vector<Move> moves_from(const Locals& from) const;
  void add_joint_moves(const Locals& from, lts::ActionId action, std::vector<Move>& out) const;
  std::string label(const Move& move) const;

  uint32_t add(Run run);
  const Run* find(const Json& request, uint32_t& id) const;
  static Error no_such_run() { return Error{"that run is not kept any more: reload the page"}; }
  Json arrive(uint32_t id, size_t at, size_t keep) const;
  Json steps_json(uint32_t id, size_t from, size_t to) const;
  Json state_json(uint32_t id, size_t at) const;
  Json tester_after(const Run& run, size_t at) const;

  struct Graph {
    std::map<Locals, uint32_t> numbers;
    struct Node {
      uint32_t depth = 0;
      uint32_t parent = 0;
      Move by;  // from the parent
      bool stops = false;
    };
    struct Edge {
      uint32_t from = 0;
      uint32_t to = 0;
      std::string label;
    };
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    bool is_whole = true;
  };
  const Graph& whole_graph();

  lts::Network network_;
  std::optional<lts::Tester> tester_;
  std::string name_;
  Locals initial_;
  uint32_t last_id_ = 0;
  std::map<uint32_t, Run> runs_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace mazurka
