#include "cli/earlier_runs.h"

#include "cli/flags.h"

namespace mazurka {

std::optional<std::vector<std::vector<GuardedMemory>>> run_earlier(const ScheduleFile& file,
                                                                   Program& program) {
  std::vector<std::vector<GuardedMemory>> all;
  for (const std::vector<ScheduledStep>& steps : file.earlier) {
    Result<std::vector<PlannedStep>> prefix = prefix_of(steps, program);
    Plan plan;
    if (prefix) plan.prefix = std::move(*prefix);
    plan.limits = file.limits;
    plan.stacks = true;
    Execution execution;
    const Result<void> ran = prefix ? program.run(plan, execution) : Result<void>(prefix.error());
    if (!ran || execution.end == End::Trouble) {
      complain(ran ? execution.text : ran.error().message);
      return std::nullopt;
    }
    all.push_back(std::move(execution.guarded));
  }
  return all;
}

}  // namespace mazurka
