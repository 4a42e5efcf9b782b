// The part of network_simulation.h about all states of a network: its moves, and their graph.
#include <algorithm>
#include <deque>
#include <set>

#include "sim/network_simulation.h"
#include "sim/server/json.h"

namespace mazurka {
namespace {

constexpr uint32_t kMostNodes = 1000;

}  // namespace

// --- definition 3: a process moves alone by the internal action, and all that have another one in
// their alphabet together

std::vector<NetworkSimulation::Move> NetworkSimulation::moves_from(const Locals& from) const {
  std::vector<Move> moves;
  std::set<lts::ActionId> joint;
  for (uint32_t i = 0; i < from.size(); ++i) {
    for (const lts::Edge& edge : network_.processes[i].lts.edges(from[i])) {
      if (edge.action != lts::kTau) {
        joint.insert(edge.action);
        continue;
      }
      Move move{lts::kTau, {i}, from, 0};
      move.to[i] = edge.target;
      moves.push_back(std::move(move));
    }
  }
  for (const lts::ActionId action : joint) add_joint_moves(from, action, moves);
  for (uint32_t i = 0; i < moves.size(); ++i) moves[i].number = i;
  return moves;
}

void NetworkSimulation::add_joint_moves(const Locals& from, lts::ActionId action,
                                        std::vector<Move>& out) const {
  std::vector<Move> made = {{action, {}, from, 0}};
  for (uint32_t i = 0; i < from.size(); ++i) {
    const lts::Process& process = network_.processes[i];
    if (!std::binary_search(process.alphabet.begin(), process.alphabet.end(), action)) continue;
    std::vector<Move> more;
    for (const Move& half : made) {
      for (const lts::Edge& edge : process.lts.edges(from[i], action)) {
        more.push_back(half);
        more.back().processes.push_back(i);
        more.back().to[i] = edge.target;
      }
    }
    made = std::move(more);
  }
  for (Move& move : made) {
    if (!move.processes.empty()) out.push_back(std::move(move));
  }
}

std::string NetworkSimulation::label(const Move& move) const {
  std::string text =
      move.action == lts::kTau ? "tau" : std::string(network_.actions.name(move.action));
  if (move.action != lts::kTau && network_.hides(move.action)) text += " (hidden)";
  std::string who;
  for (const uint32_t i : move.processes)
    who += (who.empty() ? "" : ", ") + network_.processes[i].name;
  if (move.processes.size() > 1 || move.action == lts::kTau) text += " [" + who + "]";
  return text;
}

// --- the graph

const NetworkSimulation::Graph& NetworkSimulation::whole_graph() {
  if (graph_) return *graph_;
  graph_ = std::make_unique<Graph>();
  Graph& graph = *graph_;
  std::deque<Locals> open = {initial_};
  graph.numbers[initial_] = 0;
  graph.nodes.emplace_back();
  while (!open.empty()) {
    const Locals from = std::move(open.front());
    open.pop_front();
    const uint32_t number = graph.numbers.at(from);
    const std::vector<Move> moves = moves_from(from);
    graph.nodes[number].stops = moves.empty();
    for (const Move& move : moves) {
      const bool has_room = graph.nodes.size() < kMostNodes;
      if (!has_room && graph.numbers.count(move.to) == 0) {
        graph.is_whole = false;
        continue;
      }
      const auto [place, is_new] =
          graph.numbers.try_emplace(move.to, static_cast<uint32_t>(graph.nodes.size()));
      if (is_new) {
        graph.nodes.push_back({graph.nodes[number].depth + 1, number, move, false});
        open.push_back(move.to);
      }
      graph.edges.push_back({number, place->second, label(move)});
    }
  }
  return graph;
}

Result<Json> NetworkSimulation::graph(const Json& request) {
  uint32_t id = 0;
  const Run* run = find(request, id);
  if (run == nullptr) return no_such_run();
  const Graph& graph = whole_graph();
  Json nodes = Json::array();
  for (const Graph::Node& node : graph.nodes)
    nodes.push_back({{"depth", node.depth}, {"kind", node.stops ? "deadlock" : ""}});
  Json edges = Json::array();
  for (const Graph::Edge& edge : graph.edges)
    edges.push_back({{"from", edge.from}, {"to", edge.to}, {"label", edge.label}});
  Json path = Json::array();
  for (const Locals& locals : run->states) {
    const auto known = graph.numbers.find(locals);
    path.push_back(known == graph.numbers.end() ? Json(nullptr) : Json(known->second));
  }
  return Json{{"whole", graph.is_whole},
              {"nodes", std::move(nodes)},
              {"edges", std::move(edges)},
              {"path", std::move(path)}};
}

Result<Json> NetworkSimulation::go_to_node(const Json& request) {
  const Graph& graph = whole_graph();
  uint64_t node = number_in(request, "node", UINT32_MAX);
  if (node >= graph.nodes.size()) return Error{"there is no such state"};
  std::vector<Move> moves;
  for (; node != 0; node = graph.nodes[node].parent) moves.push_back(graph.nodes[node].by);
  std::reverse(moves.begin(), moves.end());
  Run run{{initial_}, std::move(moves)};
  for (const Move& move : run.moves) run.states.push_back(move.to);
  return arrive(add(std::move(run)), SIZE_MAX, 0);
}

}  // namespace mazurka
