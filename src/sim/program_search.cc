// The part of program_simulation.h about what can still happen: the search from a state on, and the
// graph of all states.
#include <algorithm>

#include "explore/findings/earlier_program.h"
#include "report/words/finding_text.h"
#include "report/words/quoting.h"
#include "report/words/remark_text.h"
#include "sim/offline/offline_page.h"
#include "sim/offline/run_record.h"
#include "sim/program_simulation.h"
#include "sim/server/json.h"
#include "sim/views/passing_view.h"

namespace mazurka {
namespace {

constexpr uint32_t kMostStates = 1000;
constexpr uint64_t kMostPassingExecutions = 300;
constexpr double kPassingSeconds = 2;
constexpr uint32_t kMostStepsWithVariables = 60;

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

// With which step the error became certain, and what a run that passes does otherwise. Asked once
// for a run, and remembered: it may cost hundreds of executions.
Result<Json> ProgramSimulation::passing(const Json& request) {
  const Result<RunPointer> run = run_of(request);
  if (!run) return run.error();
  const auto known = passing_.find((*run)->id);
  if (known != passing_.end()) return known->second;
  const Execution& failing = (*run)->execution;
  const End end = failing.end;
  uint32_t length = 0;
  for (const Sighting& sighting : (*run)->sightings) length = std::max(length, sighting.length);
  const bool is_costly = end == End::Divergence || end == End::Hung || end == End::Lost ||
                         end == End::SegmentDamaged || end == End::Nondeterminism;
  PassingRun found;
  if (!(*run)->sightings.empty() && !is_costly) {
    EarlierProgram program(subject_.program, subject_.earlier);
    SightingReader reader(program, subject_.tester, subject_.header.limits.bound);
    MinimizeBudget budget(kMostPassingExecutions, kPassingSeconds, nullptr);
    found = nearest_passing_run(program, subject_.header.limits, reader, failing, length,
                                std::nullopt, budget);
  }
  RunPointer passing;
  if (!found.schedule.empty()) {
    Result<RunPointer> made = runs_.make(found.schedule);
    if (!made) return made.error();
    passing = *made;
    naming_.refresh();
    naming_.learn(*passing);
  }
  return passing_[(*run)->id] = passing_json(found, passing.get(), **run, naming_);
}

Result<Json> ProgramSimulation::record(const Json& request) {
  const Result<RunPointer> run = run_of(request);
  if (!run) return run.error();
  const uint32_t length = (*run)->length();
  Excerpts excerpts;
  Json recorded = run_record(**run, length, naming_, excerpts);
  recorded["at"] = at_of(request, **run);
  recorded["variables"] = recorded_variables(**run);
  Json others = Json::array();
  const auto known = passing_.find((*run)->id);
  if (known != passing_.end()) {
    recorded["passing"] = known->second;
    const Json& other = known->second["passing"];
    const Result<RunPointer> passing =
        other.is_null() ? Error{""} : runs_.find(other["run"].get<uint32_t>());
    if (passing) others.push_back(run_record(**passing, (*passing)->length(), naming_, excerpts));
  }
  const Json data = {{"kind", "recording"},
                     {"command", shell_command(subject_.header.argv)},
                     {"directory", subject_.header.directory},
                     {"runs", Json::array({std::move(recorded)})},
                     {"others", std::move(others)},
                     {"sources", excerpts.json(naming_)}};
  return Json{{"text", offline_page(data)}};
}

// Of short runs, for the thread that moved last, whose source the page shows: {at: variables}.
Json ProgramSimulation::recorded_variables(const Run& run) {
  Json all = Json::object();
  if (run.length() > kMostStepsWithVariables) return all;
  for (uint32_t at = 1; at <= run.length(); ++at) {
    MemoryView::Wish wish;
    wish.thread = run.execution.transitions[at - 1].choice.thread;
    Result<Json> variables = memory_.json(run, at, wish);
    if (variables) all[std::to_string(at)] = std::move(*variables);
  }
  return all;
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
