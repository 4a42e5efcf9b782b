#include "sim/network_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "sim/server/json.h"
#include "sim/views/tester_view.h"

namespace mazurka {
namespace {

constexpr size_t kKeptNetworkRuns = 500;
constexpr size_t kMostSteps = 1000;  // of a run that goes on by itself: a network need not end
constexpr size_t kMostNetworkSteps = 2000;

}  // namespace

NetworkSimulation::NetworkSimulation(lts::Network network, std::optional<lts::Tester> tester,
                                     std::string name)
    : network_(std::move(network)), tester_(std::move(tester)), name_(std::move(name)) {
  for (const lts::Process& process : network_.processes) {
    initial_.push_back(static_cast<uint32_t>(process.lts.initial()));
  }
}

Result<Json> NetworkSimulation::answer(const std::string& question, const Json& request) {
  static const std::pair<const char*, Answer> kAnswers[] = {
      {"hello", &NetworkSimulation::hello},   {"go", &NetworkSimulation::go},
      {"visit", &NetworkSimulation::visit},   {"state", &NetworkSimulation::state},
      {"steps", &NetworkSimulation::steps},   {"swap", &NetworkSimulation::swap},
      {"graph", &NetworkSimulation::graph},   {"node", &NetworkSimulation::go_to_node},
      {"run-to", &NetworkSimulation::run_to},
  };
  for (const auto& [name, answer] : kAnswers) {
    if (question == name) return (this->*answer)(request);
  }
  if (question == "search") return Error{"'mazurka lts verify' searches networks"};
  if (question == "save" || question == "load") return Error{"only programs have schedules"};
  return no_such_question(question);
}

// --- runs

uint32_t NetworkSimulation::add(Run run) {
  runs_[++last_id_] = std::move(run);
  if (runs_.size() > kKeptNetworkRuns)
    runs_.erase(std::next(runs_.begin()));  // the first is where a page begins
  return last_id_;
}

const NetworkSimulation::Run* NetworkSimulation::find(const Json& request, uint32_t& id) const {
  id = static_cast<uint32_t>(number_in(request, "run", 0));
  const auto found = runs_.find(id);
  return found == runs_.end() ? nullptr : &found->second;
}

Json NetworkSimulation::arrive(uint32_t id, size_t at, size_t keep) const {
  const Run& run = runs_.at(id);
  const size_t length = run.moves.size();
  at = std::min(at, length);
  Json threads = Json::array();
  for (uint32_t i = 0; i < network_.processes.size(); ++i) {
    threads.push_back({{"id", i}, {"name", network_.processes[i].name}, {"role", ""}});
  }
  const size_t from = at > keep + 100 ? at - 100 : keep;
  return {{"run", id},
          {"length", length},
          {"end", moves_from(run.states.back()).empty() ? "deadlock" : "open"},
          {"threads", std::move(threads)},
          {"at", at},
          {"keep", std::min(keep, length)},
          {"notes", Json::array()},
          {"steps", steps_json(id, from, from + 200)},
          {"state", state_json(id, at)}};
}

Result<Json> NetworkSimulation::hello(const Json&) {
  if (runs_.empty()) add({{initial_}, {}});
  Json json = arrive(runs_.begin()->first, 0, 0);
  json["kind"] = "network";
  json["command"] = name_;
  json["directory"] = "";
  return json;
}

Result<Json> NetworkSimulation::go(const Json& request) {
  uint32_t id = 0;
  const Run* from = find(request, id);
  if (from == nullptr) return no_such_run();
  const size_t at =
      std::min<size_t>(number_in(request, "at", from->moves.size()), from->moves.size());
  Run run;
  run.states.assign(from->states.begin(),
                    from->states.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  run.moves.assign(from->moves.begin(), from->moves.begin() + static_cast<std::ptrdiff_t>(at));
  const std::string policy = text_in(request, "then");
  if (!policy.empty() && policy != "first" && policy != "random")
    return Error{"'then' is neither first nor random"};
  std::mt19937_64 random(number_in(request, "seed", 1));
  const size_t most = policy.empty() ? 1 : kMostSteps;
  for (size_t i = 0; i < most; ++i) {
    std::vector<Move> moves = moves_from(run.states.back());
    size_t taken = policy == "random" && !moves.empty() ? random() % moves.size() : 0;
    if (policy.empty()) taken = number_in(request, "outcome", moves.size());
    if (taken >= moves.size()) {
      if (policy.empty()) return Error{"that action cannot happen in this state"};
      break;
    }
    run.states.push_back(moves[taken].to);
    run.moves.push_back(std::move(moves[taken]));
  }
  return arrive(add(std::move(run)), SIZE_MAX, at);
}

// By the first action always, until the process takes part in the next one.
Result<Json> NetworkSimulation::run_to(const Json& request) {
  const auto process = static_cast<uint32_t>(number_in(request, "thread", UINT32_MAX));
  Json wanted = request;
  wanted["then"] = "first";
  Result<Json> there = go(wanted);
  if (!there) return there;
  const auto id = (*there)["run"].get<uint32_t>();
  const size_t keep = (*there)["keep"];
  const std::vector<Move>& moves = runs_.at(id).moves;
  for (size_t i = keep + 1; i < moves.size(); ++i) {
    const auto& who = moves[i].processes;
    if (std::find(who.begin(), who.end(), process) != who.end()) return arrive(id, i, keep);
  }
  return Error{"it does not come to that, if always the first action is taken"};
}

Result<Json> NetworkSimulation::visit(const Json& request) {
  uint32_t id = 0;
  const Run* run = find(request, id);
  if (run == nullptr) return no_such_run();
  return arrive(id, number_in(request, "at", run->moves.size()), 0);
}

Result<Json> NetworkSimulation::steps(const Json& request) {
  uint32_t id = 0;
  if (find(request, id) == nullptr) return no_such_run();
  const size_t from = number_in(request, "from", 0);
  return steps_json(id, from,
                    std::min<size_t>(number_in(request, "to", from), from + kMostNetworkSteps));
}

Json NetworkSimulation::steps_json(uint32_t id, size_t from, size_t to) const {
  const Run& run = runs_.at(id);
  to = std::min(to, run.moves.size());
  from = std::min(from, to);
  Json steps = Json::array();
  for (size_t i = from; i < to; ++i) {
    const Move& move = run.moves[i];
    steps.push_back({{"thread", move.processes[0]},
                     {"threads", move.processes},
                     {"outcome", move.number},
                     {"what", label(move)},
                     {"object", nullptr},
                     {"place", ""},
                     {"preempts", false}});
  }
  return {{"run", id}, {"from", from}, {"steps", std::move(steps)}, {"edges", Json::array()}};
}

Result<Json> NetworkSimulation::state(const Json& request) {
  uint32_t id = 0;
  const Run* run = find(request, id);
  if (run == nullptr) return no_such_run();
  return state_json(
      id, std::min<size_t>(number_in(request, "at", run->moves.size()), run->moves.size()));
}

Json NetworkSimulation::state_json(uint32_t id, size_t at) const {
  const Run& run = runs_.at(id);
  const Locals& locals = run.states[at];
  const std::vector<Move> moves = moves_from(locals);
  Json choices = Json::array();
  std::set<uint32_t> movers;
  for (const Move& move : moves) {
    movers.insert(move.processes.begin(), move.processes.end());
    choices.push_back(
        {{"thread", move.processes[0]}, {"outcome", move.number}, {"text", label(move)}});
  }
  Json threads = Json::array();
  for (uint32_t i = 0; i < locals.size(); ++i) {
    threads.push_back({{"id", i},
                       {"name", network_.processes[i].name},
                       {"role", ""},
                       {"process", ""},
                       {"status", movers.count(i) > 0 ? "enabled" : "blocked"},
                       {"operation", fmt::format("state {}", locals[i])},
                       {"stack", Json::array()},
                       {"choices", Json::array()}});
  }
  Json findings = Json::array();
  if (moves.empty())
    findings.push_back({{"kind", "deadlock"}, {"at", at}, {"message", "no action can happen"}});
  Json json = {{"run", id},
               {"at", at},
               {"threads", threads},
               {"objects", Json::array()},
               {"findings", findings},
               {"cycle", Json::array()},
               {"tosses", Json::array()},
               {"output", ""},
               {"choices", choices}};
  if (tester_) json["tester"] = tester_after(run, at);
  return json;
}

Json NetworkSimulation::tester_after(const Run& run, size_t at) const {
  std::vector<std::pair<lts::ActionId, std::string>> actions;
  for (size_t i = 0; i < at; ++i) {
    const lts::ActionId action = run.moves[i].action;
    if (!network_.hides(action)) actions.emplace_back(action, network_.actions.name(action));
  }
  return tester_json(*tester_, actions);
}

// Actions without a common process commute. Others have no other order: the first may be what makes
// the second possible.
// NOLINTNEXTLINE(bugprone-exception-escape): swaps steps, not objects
Result<Json> NetworkSimulation::swap(const Json& request) {
  uint32_t id = 0;
  const Run* run = find(request, id);
  if (run == nullptr) return no_such_run();
  const size_t first = number_in(request, "first", SIZE_MAX - 1);
  if (first + 1 >= run->moves.size()) return Error{"there is no step after that one"};
  const Move a = run->moves[first];
  const Move b = run->moves[first + 1];
  std::vector<uint32_t> common;
  std::set_intersection(a.processes.begin(), a.processes.end(), b.processes.begin(),
                        b.processes.end(), std::back_inserter(common));
  if (!common.empty()) {
    return Json{{"same", false},
                {"possible", false},
                {"changes", Json::array()},
                {"why", network_.processes[common[0]].name +
                            " takes part in both, and a process has its own order"}};
  }
  Run other = *run;
  Locals between = other.states[first];
  for (const uint32_t i : b.processes) between[i] = b.to[i];
  const auto number_of = [&](const Locals& from, const Move& move, const Locals& to) {
    for (const Move& known : moves_from(from)) {
      if (known.action == move.action && known.processes == move.processes && known.to == to)
        return known;
    }
    return move;
  };
  other.moves[first] = number_of(other.states[first], b, between);
  other.moves[first + 1] = number_of(between, a, other.states[first + 2]);
  other.states[first + 1] = between;
  const size_t length = other.moves.size();
  const uint32_t made = add(std::move(other));
  return Json{{"same", true},
              {"possible", true},
              {"changes", Json::array()},
              {"why", "they are independent: in the other order, everything is the same"},
              {"other", {{"run", made}, {"length", length}}}};
}

}  // namespace mazurka
