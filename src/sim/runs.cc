#include "sim/runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "explore/findings/earlier_program.h"
#include "explore/findings/preemptions.h"
#include "explore/findings/sighting_reader.h"
#include "explore/trace/state_replay.h"
#include "objects/choices.h"

namespace mazurka {
namespace {

constexpr size_t kKeptRuns = 8;
constexpr size_t kKeptSchedules = 1000;
constexpr size_t kKeptSteps = 20'000'000;  // of all schedules together

// As preemptions_of has it, on the world of this thread's replays: making a new one would take
// longer than the execution.
std::vector<bool> preemptions(const Execution& execution, uint32_t bound) {
  std::vector<bool> all;
  StateReplay replay;
  replay.begin(execution);
  ThreadId last = kMainThread;
  for (const Transition& made : execution.transitions) {
    const bool changes = made.choice.thread != last;
    all.push_back(changes && can_go_on(last, choices_in(replay.world(), bound)));
    last = made.choice.thread;
    replay.step();
  }
  return all;
}

}  // namespace

std::vector<Choice> choices_in(const World& world, uint32_t bound) {
  std::vector<Choice> choices;
  each_choice(world, bound, [&](Choice choice) {
    choices.push_back(choice);
    return true;
  });
  return choices;
}

Result<RunPointer> Runs::make(const std::vector<PlannedStep>& schedule, Then then, uint64_t seed) {
  Result<RunPointer> run = execute(schedule, then, seed, ++last_id_);
  if (run) keep(*run);
  return run;
}

Result<RunPointer> Runs::execute(const std::vector<PlannedStep>& schedule, Then then, uint64_t seed,
                                 uint32_t id) {
  Plan plan;
  plan.prefix = schedule;
  plan.limits = subject_.header.limits;
  const auto length = static_cast<uint32_t>(schedule.size());
  plan.limits.depth = then == Then::Stops ? length : std::max(plan.limits.depth, length);
  if (then == Then::Random) plan.random = std::max<uint64_t>(seed, 1);
  plan.lists_enabled = false;
  plan.stacks = true;
  plan.show_output = true;
  auto run = std::make_shared<Run>();
  run->id = id;
  Execution& execution = run->execution;
  EarlierProgram program(subject_.program, subject_.earlier);
  if (Result<void> ran = program.run(plan, execution); !ran) return ran.error();
  if (!execution.conflicts.empty()) {  // now we know whose stacks are wanted
    plan.watched = execution.conflicts.front().address & ~uint64_t{7};
    if (Result<void> ran = program.run(plan, execution); !ran) return ran.error();
  }
  if (execution.end == End::Trouble) return Error{execution.text};
  if (execution.end == End::Nondeterminism && execution.position < schedule.size()) {
    run->expected = schedule[execution.position];
  }
  const uint32_t bound = plan.limits.bound;
  run->sightings = SightingReader(subject_.program, subject_.tester, bound).read(execution);
  run->preempts = preemptions(execution, bound);
  add_waits_for_moves(execution);
  run->order.read(execution);
  return RunPointer(std::move(run));
}

Result<RunPointer> Runs::find(uint32_t id) {
  if (const auto known = runs_.find(id); known != runs_.end()) return known->second;
  const auto schedule = schedules_.find(id);
  if (schedule == schedules_.end()) {
    return Error{fmt::format("run {} is not kept any more: reload the page", id)};
  }
  const std::vector<PlannedStep> steps = schedule->second;
  Result<RunPointer> run = execute(steps, Then::Stops, 0, id);
  if (run) keep(*run);
  return run;
}

void Runs::keep(const RunPointer& run) {
  runs_[run->id] = run;
  schedules_[run->id] = schedule_of(run->execution, run->length());
  // The first run stays: it is where a page begins. Of the others, the oldest go.
  const auto drop_oldest = [](auto& map, uint32_t newest) {
    const auto second = std::next(map.begin());
    map.erase(second->first == newest ? std::next(second) : second);
  };
  while (runs_.size() > kKeptRuns) drop_oldest(runs_, run->id);
  const auto steps = [&] {
    size_t sum = 0;
    for (const auto& [id, schedule] : schedules_) sum += schedule.size();
    return sum;
  };
  while (schedules_.size() > kKeptSchedules ||
         (schedules_.size() > kKeptRuns && steps() > kKeptSteps)) {
    drop_oldest(schedules_, run->id);
  }
}

}  // namespace mazurka
