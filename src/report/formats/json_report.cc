#include "report/formats/json_report.h"

#include <nlohmann/json.hpp>

#include "explore/findings/explanation.h"
#include "report/words/conflict_text.h"
#include "report/words/finding_text.h"
#include "report/words/reason.h"
#include "report/words/remark_text.h"

namespace mazurka {
namespace {

using Json = nlohmann::ordered_json;

// Those of the schedule.
Json steps_json(const Finding& finding, const Explanation& explanation,
                const Describer& describer) {
  Json steps = Json::array();
  for (size_t i = 0; i < explanation.steps.size(); ++i) {
    const Transition& made = finding.execution.transitions[i];
    Json step = {{"thread", describer.thread(made.choice.thread)},
                 {"operation", describer.transition(made)},
                 {"location", describer.location(made.place)}};
    if (explanation.steps[i].preempts) step["preempts"] = true;
    if (finding.critical == i) step["critical"] = true;
    if (!made.output.empty()) step["output"] = made.output;
    steps.push_back(std::move(step));
  }
  return steps;
}

// Where the threads that the finding is about are in the end.
Json states_json(const Finding& finding, const Explanation& explanation,
                 const Describer& describer) {
  Json states = Json::array();
  const std::vector<Culprit> all = culprits(finding);
  for (size_t i = 0; i < all.size(); ++i) {
    Json state = {{"thread", describer.thread(all[i].thread)},
                  {"role", describer.thread_role(all[i].thread, finding.execution)},
                  {"operation", describer.operation(*all[i].op, *all[i].parts)},
                  {"location", describer.location(*all[i].place)},
                  {"callers", describer.callers(*all[i].place)}};
    if (i < explanation.waits.size()) {
      Json holders = Json::array();
      for (const ThreadId id : explanation.waits[i].holders)
        holders.push_back(describer.thread(id));
      state["holders"] = std::move(holders);
    }
    states.push_back(std::move(state));
  }
  return states;
}

Json finding_json(const Finding& finding, const std::string& schedule, const Report& report) {
  const Describer& describer = report.describer;
  const Explanation explanation = explain(finding, report.bound);
  Json json = {
      {"kind", name_of(finding.kind())},
      {"message", message(finding, describer)},
      {"count", finding.count},
      {"schedule", schedule},
      {"length", finding.schedule.size()},
      {"location", location(finding, describer)},
      {"why", reason_for(finding, describer).sentence},
      {"steps", steps_json(finding, explanation, describer)},
      {"states", states_json(finding, explanation, describer)},
  };
  if (finding.preemptions) json["preemptions"] = *finding.preemptions;
  if (finding.critical) json["critical_step"] = *finding.critical + 1;
  if (const MemoryConflict* conflict = conflict_of(finding)) {
    Json accesses = Json::array();
    for (const AccessLine& line : access_lines(*conflict, describer)) {
      accesses.push_back({{"thread", line.thread},
                          {"access", line.access},
                          {"location", line.location},
                          {"function", line.place},
                          {"callers", line.callers},
                          {"locks", line.locks}});
      if (line.is_elsewhere) accesses.back()["another_execution"] = true;
    }
    json["memory"] = describer.memory(*conflict);
    json["accesses"] = accesses;
    if (finding.threads.size() > 1) json["threads"] = thread_pairs(finding, describer);
  }
  if (finding.kind() == FindingKind::Tester) {
    const TesterSighting& seen = *finding.sighting.tester;
    json["violation"] = lts::name_of(seen.kind);
    json["tester"] = seen.tester;
    json["state"] = seen.state;
    json["events"] = seen.events;
  }
  return json;
}

Json samples_json(const Samples& samples) {
  Json samplers = Json::array();
  for (const SamplerCounts& its : samples.samplers) {
    samplers.push_back({{"search", its.search},
                        {"executions", its.executions},
                        {"most_threads", its.threads},
                        {"most_steps", its.steps}});
    if (its.bug_depth == 0) continue;
    samplers.back()["bug_depth"] = its.bug_depth;
    samplers.back()["counting_executions"] = its.counting;
    samplers.back()["missed_at_most"] = its.missed;
  }
  return {{"seed", samples.seed},
          {"traces", samples.traces},
          {"traces_are_exact", samples.traces_are_exact},
          {"traces_new_in_last_tenth", samples.late_traces},
          {"samplers", samplers}};
}

}  // namespace

std::string json_report(const Report& report) {
  const Verdict& verdict = report.verdict;
  Json findings = Json::array();
  for (size_t i = 0; i < verdict.findings.size(); ++i) {
    const std::string schedule = i < report.schedules.size() ? report.schedules[i] : "";
    findings.push_back(finding_json(verdict.findings[i], schedule, report));
  }
  Json unmodelled = Json::array();
  for (const UnmodelledCall& call : verdict.unmodelled) {
    unmodelled.push_back(sentence(call, report.describer));
  }
  Json json = {
      {"version", report.version},
      {"command", report.command},
      {"verdict", verdict_word(verdict)},
      {"complete", verdict.complete()},
      {"guarantee", name_of(verdict.guarantee)},
      {"search", verdict.search},
      {"executions", verdict.counts.executions},
      {"blocked_executions", verdict.counts.blocked_executions},
      {"transitions", verdict.counts.transitions},
      {"steps", verdict.counts.steps},
      {"max_depth", verdict.counts.max_depth},
      {"seconds", verdict.seconds},
      {"findings", findings},
      {"assumptions", sentences(verdict.assumptions)},
      {"unmodelled", unmodelled},
  };
  if (verdict.transitions != Transitions::Visible)
    json["transition_kind"] = name_of(verdict.transitions);
  if (verdict.samples) {
    json["sampled_executions"] = verdict.samples->executions;
    json["samples"] = samples_json(*verdict.samples);
  }
  if (verdict.within) {
    json["traces"] = verdict.within->traces;
    if (verdict.within->reached) json["preemptions_reached"] = *verdict.within->reached;
  }
  if (verdict.compared) {
    const Compared& compared = *verdict.compared;
    Json differences = Json::array();
    for (const Difference& difference : compared.differences)
      differences.push_back(sentence(difference, report.describer));
    json["compared"] = {
        {"search", compared.search},
        {"executions", compared.counts.executions},
        {"transitions", compared.counts.transitions},
        {"seconds", compared.seconds},
        {"end_states", compared.end_states},
        {"whole", compared.is_whole},
        {"differences", differences},
    };
  }
  // Names come from the program under test, so they may be any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace mazurka
