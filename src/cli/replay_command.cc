// `mazurka replay`: runs the schedule of a finding and shows what happens.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/annotate.h"
#include "cli/commands.h"
#include "cli/earlier_runs.h"
#include "cli/options.h"
#include "cli/target.h"
#include "explore/findings/earlier_program.h"
#include "explore/findings/preemptions.h"
#include "explore/findings/sighting_reader.h"
#include "report/formats/text_report.h"
#include "report/input/schedule_file.h"

namespace mazurka {
namespace {

using ReplayTester = std::shared_ptr<const ProgramTester>;

// The sighting of the kind that the schedule is about; where there are several, that at its end.
std::optional<Sighting> find_again(const ScheduleFile& file, std::vector<Sighting> all) {
  std::optional<Sighting> found;
  for (Sighting& sighting : all) {
    if (sighting.kind != file.kind) continue;
    const bool at_end = sighting.length == file.steps.size();
    if (!found || (at_end && found->length != file.steps.size())) found = std::move(sighting);
  }
  return found;
}

Finding finding_of(const Execution& execution, size_t length, uint32_t bound) {
  Finding finding;
  finding.execution = execution;
  finding.schedule = schedule_of(execution, static_cast<uint32_t>(length));
  if (const auto preempts = preemptions_of(execution, length, bound)) {
    finding.preemptions =
        static_cast<uint32_t>(std::count(preempts->begin(), preempts->end(), true));
  }
  return finding;
}

// As `mazurka check` reports it.
void print_finding(const Sighting& sighting, Finding finding, const Plan& plan,
                   const Report& report, const TextStyle& style) {
  finding.sighting = sighting;
  // It is about a step that was planned and not made.
  if (sighting.kind == FindingKind::Nondeterminism) finding.schedule = plan.prefix;
  fmt::print("{}", finding_report(finding, "", report, style));
}

// What happened instead.
void print_steps(Finding finding, const Report& report, const TextStyle& style) {
  finding.sighting.kind = FindingKind::Nondeterminism;
  fmt::print("{}", schedule_text(finding, explain(finding, report.bound), report.describer, style));
}

ExitCode show(const ScheduleFile& file, const Plan& plan, const Execution& execution,
              std::vector<Sighting> all, const Describer& describer, const TextStyle& style) {
  const std::string difference = first_difference(file, execution, describer);
  const std::optional<Sighting> sighting = find_again(file, std::move(all));
  const bool same_way = difference.empty() == (file.kind != FindingKind::Nondeterminism);
  const size_t all_steps = execution.transitions.size();
  const size_t length = sighting && difference.empty() ? sighting->length : all_steps;
  const Verdict verdict;
  const Report report{verdict, describer, {}, {}, file.limits.bound, {}};
  Finding finding = finding_of(execution, std::min(length, all_steps), file.limits.bound);
  if (sighting && same_way) {
    print_finding(*sighting, std::move(finding), plan, report, style);
    return ExitCode::Found;
  }
  print_steps(std::move(finding), report, style);
  if (!difference.empty()) fmt::print("\nnondeterminism: {}\n", difference);
  if (file.kind == FindingKind::Nondeterminism && !difference.empty()) return ExitCode::Found;
  fmt::print(
      "\nthe {} of this schedule did not show: the program or its surroundings are not what they "
      "were\n",
      name_of(file.kind));
  return ExitCode::Incomplete;
}

const MemoryConflict* first_conflict(const Execution& execution) {
  return execution.conflicts.empty() ? nullptr : &execution.conflicts.front();
}

ExitCode run(const ScheduleFile& file, const ReplayOptions& options, const ReplayTester& tester,
             Target& target) {
  Plan plan;
  Result<std::vector<PlannedStep>> prefix = prefix_of(file.steps, target.program());
  if (!prefix) {
    complain(prefix.error().message);
    return ExitCode::Usage;
  }
  auto earlier = run_earlier(file, target.program());
  if (!earlier) return ExitCode::Trouble;
  EarlierProgram program(target.program(), std::move(*earlier));
  plan.prefix = std::move(*prefix);
  plan.limits = file.limits;
  plan.stacks = true;
  plan.show_output = !options.gdb;  // there, it goes to the terminal by itself
  Execution execution;
  const Result<void> ran = program.run(plan, execution);
  if (!ran || execution.end == End::Trouble) {
    complain(ran ? execution.text : ran.error().message);
    return ExitCode::Trouble;
  }
  if (options.gdb) return ExitCode::Ok;
  if (const MemoryConflict* conflict = first_conflict(execution)) {
    // Now we know whose stacks are wanted.
    plan.watched = conflict->address & ~uint64_t{7};
    if (const Result<void> again = program.run(plan, execution); !again) {
      complain(again.error().message);
      return ExitCode::Trouble;
    }
  }
  const std::unique_ptr<Places> places = target.places();
  ObjectNames names = target.object_names();
  names.learn(execution, file.steps.size(), file.limits, target.files());
  SightingReader reader(target.program(), tester, file.limits.bound);
  return show(file, plan, execution, reader.read(execution),
              Describer(target.program(), places.get(), &names), options.style);
}

}  // namespace

ExitCode replay_command(const std::vector<std::string>& arguments) {
  ExitCode exit_code = ExitCode::Ok;
  const std::optional<ReplayOptions> options = read_replay_options(arguments, exit_code);
  if (!options) return exit_code;
  const Result<ScheduleFile> file = read_schedule(options->file);
  if (!file) {
    complain(file.error().message);
    return ExitCode::Usage;
  }
  if (chdir(file->directory.c_str()) != 0) {
    complain(fmt::format("the directory {} is not here: running in this one", file->directory));
  }
  ReplayTester tester;
  if (!file->tester_file.empty()) {
    const Result<ReplayTester> read = read_program_tester(file->tester_file);
    if (!read) {
      complain(read.error().message);
      return ExitCode::Usage;
    }
    tester = *read;
  }
  Invocation command;
  command.argv = file->argv;
  command.stdin_file = file->stdin_file;
  command.carrier = options->carrier;
  command.gdb = options->gdb;
  command.gdb_arguments = options->gdb_arguments;
  command.memory = file->memory;
  command.discipline = file->discipline;
  command.atomics = file->atomics;
  command.channels = file->channels;
  if (command.gdb && file->needs.files != PrivateFiles::None) {
    complain(
        "the schedule is of a program that changes files, of which there are no private ones under "
        "gdb; 'mazurka sim' shows it step by step");
    return ExitCode::Usage;
  }
  const Result<ProgramFile> program = inspect(command);
  if (!program) {
    complain(program.error().message);
    return ExitCode::Usage;
  }
  const Result<std::unique_ptr<Target>> target = launch(command, *program);
  if (!target) {
    complain(target.error().message);
    return ExitCode::Trouble;
  }
  (*target)->program().set_needs(file->needs);
  (*target)->program().see_accesses(file->accesses);
  if (!file->annotations.empty()) {
    const auto annotated = annotate(Annotations::of_names(file->annotations), **target);
    if (!annotated) {
      complain(annotated.error().message);
      return ExitCode::Usage;
    }
  }
  return run(*file, *options, tester, **target);
}

}  // namespace mazurka
