#include "sim/offline/html_report.h"

#include <algorithm>

#include "explore/findings/explanation.h"
#include "explore/findings/preemptions.h"
#include "report/formats/text_report.h"
#include "report/words/finding_text.h"
#include "report/words/quoting.h"
#include "report/words/reason.h"
#include "report/words/remark_text.h"
#include "sim/offline/offline_page.h"
#include "sim/offline/run_record.h"
#include "sim/server/json.h"
#include "sim/views/passing_view.h"

namespace mazurka {
namespace {

// As the simulator would have it after the finding's schedule.
std::unique_ptr<Run> run_of(const Finding& finding, Execution execution, uint32_t id,
                            uint32_t bound) {
  auto run = std::make_unique<Run>();
  run->id = id;
  run->execution = std::move(execution);
  run->sightings = {finding.sighting};
  if (finding.kind() == FindingKind::Nondeterminism && !finding.schedule.empty())
    run->expected = finding.schedule.back();
  for (const ExplainedStep& step : explain(finding, bound).steps)
    run->preempts.push_back(step.preempts);
  add_waits_for_moves(run->execution);
  run->order.read(run->execution);
  return run;
}

uint32_t length_of(const Finding& finding) {
  return static_cast<uint32_t>(
      std::min(std::max<size_t>(finding.schedule.size(), finding.sighting.length),
               finding.execution.transitions.size()));
}

Json finding_json(const Finding& finding, const std::string& schedule, const Describer& describer) {
  Json json = {{"kind", name_of(finding.kind())},
               {"message", message(finding, describer)},
               {"why", reason_for(finding, describer).sentence},
               {"location", location(finding, describer)},
               {"count", finding.count}};
  if (finding.preemptions) json["preemptions"] = *finding.preemptions;
  if (finding.critical) json["critical"] = *finding.critical + 1;
  if (!schedule.empty()) {
    json["replay"] = shell_command({"mazurka", "replay", schedule});
    json["simulate"] = shell_command({"mazurka", "sim", "--schedule=" + schedule});
  }
  return json;
}

class ReportWriter {
 public:
  ReportWriter(const Report& report, Places& places, FindingRuns* runs)
      : report_(report),
        naming_(report.describer, places, report.bound),
        others_(runs),
        last_other_(static_cast<uint32_t>(report.verdict.findings.size())) {}

  void add(const Finding& finding, const std::string& schedule) {
    const std::unique_ptr<Run> run =
        run_of(finding, others_ != nullptr ? others_->with_output(finding) : finding.execution,
               static_cast<uint32_t>(runs_.size() + 1), report_.bound);
    Json json = run_record(*run, length_of(finding), naming_, excerpts_);
    json["finding"] = finding_json(finding, schedule, report_.describer);
    const auto found = others_ != nullptr ? others_->nearest_passing(finding) : std::nullopt;
    if (found) json["passing"] = passing_of(*found, *run);
    runs_.push_back(std::move(json));
  }

  Json json() {
    const Verdict& verdict = report_.verdict;
    const std::string text = verdict_text(verdict);
    const size_t colon = text.find(": ");
    return {{"kind", "report"},
            {"command", shell_command(report_.command)},
            {"directory", ""},
            {"version", report_.version},
            {"word", verdict_word(verdict)},
            {"verdict", colon == std::string::npos ? text : text.substr(colon + 2)},
            {"search", verdict.search},
            {"executions", verdict.counts.executions},
            {"transitions", verdict.counts.transitions},
            {"depth", verdict.counts.max_depth},
            {"seconds", verdict.seconds},
            {"notes", notes()},
            {"runs", std::move(runs_)},
            {"others", std::move(passing_runs_)},
            {"sources", excerpts_.json(naming_)}};
  }

 private:
  // Only what costs a word of the verdict: the text has the rest.
  Json notes() const {
    Json all = Json::array();
    for (const std::string& text : sentences(report_.verdict.assumptions)) all.push_back(text);
    for (const UnmodelledCall& call : report_.verdict.unmodelled)
      all.push_back(sentence(call, report_.describer));
    return all;
  }

  Json passing_of(const PassingExecution& found, const Run& failing) {
    if (found.found.schedule.empty()) return passing_json(found.found, nullptr, failing, naming_);
    Run passing;
    passing.id = ++last_other_;
    passing.execution = found.execution;
    passing.preempts = preemptions_of(passing.execution, passing.length(), report_.bound)
                           .value_or(std::vector<bool>());
    add_waits_for_moves(passing.execution);
    passing.order.read(passing.execution);
    passing_runs_.push_back(run_record(passing, passing.length(), naming_, excerpts_));
    return passing_json(found.found, &passing, failing, naming_);
  }

  const Report& report_;
  Naming naming_;
  FindingRuns* const others_;
  Excerpts excerpts_;
  uint32_t last_other_;  // run: findings have the numbers from 1
  Json runs_ = Json::array();
  Json passing_runs_ = Json::array();
};

}  // namespace

std::string html_report(const Report& report, Places& places, FindingRuns* runs) {
  ReportWriter writer(report, places, runs);
  for (size_t i = 0; i < report.verdict.findings.size(); ++i) {
    const std::string schedule = i < report.schedules.size() ? report.schedules[i] : "";
    writer.add(report.verdict.findings[i], schedule);
  }
  return offline_page(writer.json());
}

}  // namespace mazurka
