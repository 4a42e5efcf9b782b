// The part of program_simulation.h about what can still happen: the search from a state on, and the
// graph of all states.
#include "report/words/finding_text.h"
#include "report/words/remark_text.h"
#include "sim/program_simulation.h"
#include "sim/server/json.h"

namespace mazurka {
namespace {

constexpr uint32_t kMostStates = 1000;

}  // namespace

Json ProgramSimulation::search_json() {
  const SearchJob::Status status = job_.status();
  Json json = {{"running", status.is_running},
               {"root", status.root_length},
               {"executions", status.counts.executions},
               {"transitions", status.counts.transitions},
               {"seconds", status.seconds},
               {"count", status.findings}};
  if (!status.trouble.empty()) json["trouble"] = status.trouble;
  if (!status.verdict) return json;
  const Verdict& verdict = *status.verdict;
  naming_.refresh();
  json["complete"] = verdict.complete() && !verdict.trouble;
  json["why"] = sentences(verdict.why_incomplete);
  if (verdict.trouble) json["why"].push_back(verdict.trouble->message);
  json["findings"] = Json::array();
  for (const Finding& finding : verdict.findings) {
    json["findings"].push_back({{"kind", name_of(finding.kind())},
                                {"message", message(finding, naming_.describer())},
                                {"length", finding.schedule.size()},
                                {"count", finding.count}});
  }
  return json;
}

Result<Json> ProgramSimulation::search(const Json& request) {
  const std::string what = text_in(request, "do");
  if (what == "start") {
    const Result<RunPointer> run = run_of(request);
    if (!run) return run.error();
    job_.start(Runs::schedule_until(**run, at_of(request, **run)));
  } else if (what == "stop") {
    job_.stop();
  } else if (what != "look") {
    return Error{"'do' is none of start, stop, look"};
  }
  return search_json();
}

Result<Json> ProgramSimulation::open_finding(const Json& request) {
  const SearchJob::Status status = job_.status();
  const uint64_t number = number_in(request, "finding", UINT32_MAX);
  if (!status.verdict || number >= status.verdict->findings.size()) {
    return Error{"there is no such finding"};
  }
  return arrive(runs_.make(status.verdict->findings[number].schedule), UINT32_MAX, 0);
}

Result<Json> ProgramSimulation::graph(const Json& request) {
  const Result<RunPointer> run = run_of(request);
  if (!run) return run.error();
  if (!graph_) {
    Result<StateGraph> explored =
        explore_states(subject_.program, subject_.header.limits, kMostStates, naming_.describer());
    if (!explored) return explored.error();
    graph_ = std::move(*explored);
  }
  Json nodes = Json::array();
  for (const StateGraph::Node& node : graph_->nodes)
    nodes.push_back({{"depth", node.depth}, {"kind", node.kind}});
  Json edges = Json::array();
  for (const StateGraph::Edge& edge : graph_->edges)
    edges.push_back({{"from", edge.from}, {"to", edge.to}, {"label", edge.label}});
  Json path = Json::array();  // the nodes of the run, until here
  for (const uint64_t print : state_prints((*run)->execution)) {
    const auto known = graph_->by_print.find(print);
    path.push_back(known == graph_->by_print.end() ? Json(nullptr) : Json(known->second));
  }
  return Json{{"whole", graph_->is_whole},
              {"nodes", std::move(nodes)},
              {"edges", std::move(edges)},
              {"path", std::move(path)}};
}

Result<Json> ProgramSimulation::go_to_node(const Json& request) {
  const uint64_t node = number_in(request, "node", UINT32_MAX);
  if (!graph_ || node >= graph_->nodes.size()) return Error{"there is no such state"};
  return arrive(runs_.make(schedule_to(*graph_, static_cast<uint32_t>(node))), UINT32_MAX, 0);
}

}  // namespace mazurka
