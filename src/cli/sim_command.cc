// `mazurka sim`: serves the page that simulates a program step by step.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/annotate.h"
#include "cli/browser_door.h"
#include "cli/commands.h"
#include "cli/earlier_runs.h"
#include "cli/interrupts.h"
#include "cli/lts/lts_options.h"
#include "cli/options.h"
#include "cli/target.h"
#include "sim/network_simulation.h"
#include "sim/program_simulation.h"
#include "sim/server/http_server.h"

namespace mazurka {
namespace {

namespace fs = std::filesystem;
using SimTester = std::shared_ptr<const ProgramTester>;

ExitCode serve(Simulation& simulation, Worker& worker, const SimOptions& options) {
  HttpServer server(simulation, worker);
  if (const Result<void> opened = server.open(static_cast<int>(options.port)); !opened) {
    complain(opened.error().message);
    return ExitCode::Usage;
  }
  const volatile std::sig_atomic_t& interrupted = watch_interrupts();
  fmt::print("the simulator is at {}\n", server.address());
  fmt::print("it ends with Ctrl-C; only who knows this address can use it\n");
  std::fflush(stdout);
  BrowserDoor browser;
  if (options.opens) browser.open(server.address());
  server.serve(interrupted);
  return ExitCode::Ok;
}

// What the page begins with: the schedule of the file, or the program's first state. False after it
// has said what is wrong.
bool read_beginning(SimOptions& options, ScheduleFile& header) {
  if (!options.schedule.empty()) {
    Result<ScheduleFile> file = read_schedule(options.schedule);
    if (!file) {
      complain(file.error().message);
      return false;
    }
    if (!options.command.argv.empty() && options.command.argv != file->argv) {
      complain(fmt::format("{} is a schedule of another program; without a program, it says which",
                           options.schedule));
      return false;
    }
    if (chdir(file->directory.c_str()) != 0) {
      complain(fmt::format("the directory {} is not here: running in this one", file->directory));
    }
    header = std::move(*file);
    options.command.argv = header.argv;
    options.command.stdin_file = header.stdin_file;
    options.command.memory = header.memory;
    options.command.discipline = header.discipline;
    options.command.atomics = header.atomics;
    options.command.channels = header.channels;
    if (options.tester.empty()) options.tester = header.tester_file;
    return true;
  }
  std::error_code error;
  header.argv = options.command.argv;
  header.directory = fs::current_path(error).string();
  header.stdin_file = options.command.stdin_file;
  header.tester_file = options.tester;
  header.memory = options.command.memory;
  header.discipline = options.command.discipline;
  header.atomics = options.command.atomics;
  header.channels = options.command.channels;
  header.limits = options.limits;
  return true;
}

// What the program needs, so that its steps mean the same from the first one on.
void learn_needs(const ScheduleFile& header, Program& program) {
  program.set_needs(header.needs);
  program.see_accesses(header.accesses);
  Plan plan;
  plan.limits = header.limits;
  Execution execution;
  (void)program.run(plan, execution);  // whatever is wrong with it shows again
}

ExitCode simulate(const SimOptions& options, ScheduleFile header, SimTester tester,
                  std::shared_ptr<const Editor> editor, Target& target) {
  Result<std::vector<PlannedStep>> steps = prefix_of(header.steps, target.program());
  if (!steps) {
    complain(steps.error().message);
    return ExitCode::Usage;
  }
  learn_needs(header, target.program());
  if (!header.annotations.empty()) {
    const auto annotated = annotate(Annotations::of_names(header.annotations), target);
    if (!annotated) {
      complain(annotated.error().message);
      return ExitCode::Usage;
    }
  }
  auto earlier = run_earlier(header, target.program());
  if (!earlier) return ExitCode::Trouble;
  header.steps.clear();
  Subject subject{
      target.program(),
      [&target] { return target.files(); },
      [&target](const Plan& plan, const Looker& looker) { return target.look(plan, looker); },
      std::move(header),
      std::move(tester),
      std::move(*earlier),
      std::move(editor)};
  ProgramSimulation simulation(std::move(subject), std::move(*steps));
  Worker worker;
  return serve(simulation, worker, options);
}

// Null if none was given.
Result<std::shared_ptr<const Editor>> read_editor(const std::string& command) {
  if (command.empty()) return std::shared_ptr<const Editor>();
  Result<Editor> editor = Editor::of(command);
  if (!editor) return editor.error();
  return std::shared_ptr<const Editor>(std::make_shared<Editor>(std::move(*editor)));
}

bool is_network(const SimOptions& options) {
  if (options.command.argv.empty()) return false;
  const std::string extension = fs::path(options.command.argv[0]).extension().string();
  return extension == ".net" || extension == ".aut";
}

ExitCode simulate_network(const SimOptions& options) {
  std::optional<lts::Network> system = read_system_or_complain(options.command.argv[0]);
  if (!system) return ExitCode::Usage;
  std::optional<lts::Tester> tester;
  if (!options.tester.empty()) {
    Result<lts::Tester> read = lts::read_tester_file(options.tester, *system);
    if (!read) {
      complain(read.error().message);
      return ExitCode::Usage;
    }
    tester = std::move(*read);
  }
  NetworkSimulation simulation(std::move(*system), std::move(tester), options.command.argv[0]);
  Worker worker;
  return serve(simulation, worker, options);
}

}  // namespace

ExitCode sim_command(const std::vector<std::string>& arguments) {
  ExitCode exit_code = ExitCode::Ok;
  std::optional<SimOptions> options = read_sim_options(arguments, exit_code);
  if (!options) return exit_code;
  const Result<std::shared_ptr<const Editor>> editor = read_editor(options->editor);
  if (!editor) {
    complain(editor.error().message);
    return ExitCode::Usage;
  }
  if (is_network(*options)) return simulate_network(*options);
  ScheduleFile header;
  if (!read_beginning(*options, header)) return ExitCode::Usage;
  SimTester tester;
  if (!options->tester.empty()) {
    const Result<SimTester> read = read_program_tester(options->tester);
    if (!read) {
      complain(read.error().message);
      return ExitCode::Usage;
    }
    tester = *read;
  }
  const Result<ProgramFile> program = inspect(options->command);
  if (!program) {
    complain(program.error().message);
    return ExitCode::Usage;
  }
  const Result<std::unique_ptr<Target>> target = launch(options->command, *program);
  if (!target) {
    complain(target.error().message);
    return ExitCode::Trouble;
  }
  return simulate(*options, std::move(header), std::move(tester), *editor, **target);
}

}  // namespace mazurka
