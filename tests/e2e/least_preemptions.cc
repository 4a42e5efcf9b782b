// Whether a schedule has the fewest preemptions: the oracle of least_preemptions_test.py.
//
//   least_preemptions RUNTIME SCHEDULE
//
// It searches by itself, depth first and bounded, with nothing but plans and what was enabled.
// Prints how many preemptions the schedule has, and the fewest with which the same finding shows.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "explore/findings/sighting_reader.h"
#include "program/live_program.h"
#include "report/input/schedule_file.h"

namespace mazurka {
namespace {

constexpr uint64_t kMostExecutions = 200'000;

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "least_preemptions: %s\n", why.c_str());
  std::exit(2);
}

class Oracle {
 public:
  Oracle(Program& program, const ScheduleFile& file, std::shared_ptr<const ProgramTester> tester)
      : program_(program), limits_(file.limits), reader_(program, tester, file.limits.bound) {}

  Execution run(const std::vector<PlannedStep>& prefix) {
    if (++executions_ > kMostExecutions) stop("too many executions");
    Plan plan;
    plan.prefix = prefix;
    plan.limits = limits_;
    Execution execution;
    if (const Result<void> ran = program_.run(plan, execution); !ran) stop(ran.error().message);
    if (execution.transitions.size() < prefix.size()) stop("the program did not do as planned");
    return execution;
  }

  // The state after each beginning of the schedule is logged when the next step is free.
  uint32_t count(const std::vector<PlannedStep>& schedule) {
    uint32_t preemptions = 0;
    std::vector<PlannedStep> prefix;
    for (const PlannedStep& step : schedule) {
      const ThreadId last = prefix.empty() ? kMainThread : prefix.back().choice.thread;
      const Execution execution = run(prefix);
      if (step.choice.thread != last && is_enabled(execution.transitions.at(prefix.size()), last))
        ++preemptions;
      prefix.push_back(step);
    }
    return preemptions;
  }

  void look_for(const std::vector<PlannedStep>& schedule, FindingKind kind) {
    for (const Sighting& sighting : reader_.read(run(schedule))) {
      if (sighting.kind == kind) wanted_ = sighting;
    }
    if (!wanted_) stop("the schedule does not show what it says");
  }

  // Whether the finding shows in an execution that begins with the prefix, with so many more
  // preemptions.
  bool shows(const std::vector<PlannedStep>& prefix, uint32_t bound) {
    const Execution execution = run(prefix);
    std::vector<PlannedStep> path = prefix;
    size_t followed = prefix.size();
    uint32_t left = bound;
    for (size_t i = prefix.size(); i < execution.transitions.size(); ++i, ++followed) {
      const Transition& made = execution.transitions[i];
      const ThreadId last = i == 0 ? kMainThread : execution.transitions[i - 1].choice.thread;
      const bool is_busy = is_enabled(made, last);
      for (const Choice& choice : made.enabled) {
        const uint32_t cost = is_busy && choice.thread != last ? 1 : 0;
        if (choice == made.choice || cost > left) continue;
        std::vector<PlannedStep> other = path;
        other.push_back({choice, OpKind::None, {}, kNoObject});
        if (shows(other, left - cost)) return true;
      }
      const uint32_t cost = is_busy && made.choice.thread != last ? 1 : 0;
      if (cost > left) break;
      left -= cost;
      path.push_back({made.choice, OpKind::None, {}, kNoObject});
    }
    for (const Sighting& seen : reader_.read(execution)) {
      if (seen == *wanted_ && seen.length <= followed) return true;
    }
    return false;
  }

 private:
  static bool is_enabled(const Transition& made, ThreadId thread) {
    for (const Choice& choice : made.enabled) {
      if (choice.thread == thread) return true;
    }
    return false;
  }

  Program& program_;
  Limits limits_;
  SightingReader reader_;
  std::optional<Sighting> wanted_;
  uint64_t executions_ = 0;
};

int compare(const std::string& runtime, const std::string& path) {
  const Result<ScheduleFile> file = read_schedule(path);
  if (!file) stop(file.error().message);
  if (chdir(file->directory.c_str()) != 0) stop("no directory " + file->directory);
  std::shared_ptr<const ProgramTester> tester;
  if (!file->tester_file.empty()) tester = *read_program_tester(file->tester_file);
  LaunchOptions options;
  options.argv = file->argv;
  options.program_path = file->argv[0];
  options.stdin_file = file->stdin_file;
  options.runtime_path = runtime;
  Result<std::unique_ptr<LiveProgram>> program = LiveProgram::launch(options);
  if (!program) stop(program.error().message);
  const auto schedule = prefix_of(file->steps, **program);
  if (!schedule) stop(schedule.error().message);
  Oracle oracle(**program, *file, tester);
  const uint32_t preemptions = oracle.count(*schedule);
  oracle.look_for(*schedule, file->kind);
  uint32_t fewest = 0;
  while (fewest < preemptions && !oracle.shows({}, fewest)) ++fewest;
  std::printf("%u %u\n", preemptions, fewest);
  return 0;
}

}  // namespace
}  // namespace mazurka

int main(int argc, char** argv) {
  if (argc != 3) mazurka::stop("usage: least_preemptions RUNTIME SCHEDULE");
  return mazurka::compare(argv[1], argv[2]);
}
