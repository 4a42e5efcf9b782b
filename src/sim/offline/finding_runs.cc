#include "sim/offline/finding_runs.h"

#include <algorithm>

namespace mazurka {
namespace {

constexpr uint64_t kMostExecutions = 100;  // to find a passing run
constexpr double kSeconds = 2;

// Each replay of the others costs seconds, or leaves nothing to look at.
bool is_cheap(const Finding& finding) {
  const End end = finding.execution.end;
  return !finding.unconfirmed && end != End::Divergence && end != End::Hung && end != End::Lost &&
         end != End::SegmentDamaged && end != End::Nondeterminism && end != End::Trouble &&
         end != End::Stopped;
}

std::optional<Execution> shown(Program& program, const Limits& limits,
                               const std::vector<PlannedStep>& schedule) {
  Plan plan;
  plan.prefix = schedule;
  plan.limits = limits;
  plan.stacks = true;
  plan.show_output = true;
  plan.lists_enabled = false;
  Execution execution;
  if (!program.run(plan, execution)) return std::nullopt;
  return execution;
}

}  // namespace

Execution FindingRuns::with_output(const Finding& finding) {
  Execution execution = finding.execution;
  const auto replay = is_cheap(finding) ? shown(program_, limits_, finding.schedule) : std::nullopt;
  if (!replay) return execution;
  const size_t count = std::min(execution.transitions.size(), replay->transitions.size());
  execution.output_before = replay->output_before;
  for (size_t i = 0; i < count; ++i) {
    if (!(execution.transitions[i].choice == replay->transitions[i].choice)) break;
    execution.transitions[i].output = replay->transitions[i].output;
  }
  return execution;
}

std::optional<PassingExecution> FindingRuns::nearest_passing(const Finding& finding) {
  if (!is_cheap(finding) || !finding.critical || !finding.earlier.empty()) return std::nullopt;
  const auto length = static_cast<uint32_t>(
      std::min(finding.schedule.size(), finding.execution.transitions.size()));
  if (*finding.critical >= length) return std::nullopt;
  MinimizeBudget budget(kMostExecutions, kSeconds, nullptr);
  PassingExecution passing;
  passing.found = nearest_passing_run(program_, limits_, reader_, finding.execution, length,
                                      finding.critical, budget);
  if (passing.found.schedule.empty()) return passing;
  std::optional<Execution> execution = shown(program_, limits_, passing.found.schedule);
  const bool is_same = execution && execution->transitions.size() == passing.found.schedule.size();
  if (!is_same) return std::nullopt;
  passing.execution = std::move(*execution);
  if (learns_) learns_(passing.execution);
  return passing;
}

}  // namespace mazurka
