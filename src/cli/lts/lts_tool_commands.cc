// `mazurka lts info|compose|convert|reduce|draw`: one system in, something about it out.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstring>
#include <filesystem>

#include "cli/interrupts.h"
#include "cli/lts/lts_commands.h"
#include "cli/lts/lts_options.h"
#include "lts/equivalence/traces.h"
#include "lts/model/aut_file.h"
#include "lts/model/dot_file.h"
#include "report/formats/verification_report.h"

namespace mazurka {
namespace {

// More than that is no picture any more, and graphviz takes hours.
constexpr uint32_t kMostDrawnStates = 2000;

void add_system(CLI::App& app, std::string& system) {
  app.add_option("SYSTEM", system, "A network (.net) or a single LTS (.aut)")->required();
}

void add_output(CLI::App& app, std::string& output) {
  app.add_option("-o,--output", output, "Where to write (standard output)")->type_name("FILE");
}

std::string info_text(const lts::Info& info) {
  return fmt::format("states {}\ntransitions {}\ndeadlocks {}\nlivelocks {}\n", info.states,
                     info.transitions, info.deadlocks, info.livelocks);
}

// By the ending of the file; standard output gets an .aut file.
std::optional<std::string> in_format_of(const std::string& file, const lts::ExplicitLts& lts,
                                        const lts::ActionTable& actions) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (file.empty() || ending == ".aut") return lts::write_aut(lts, actions);
  if (ending == ".dot" || ending == ".gv") return lts::write_dot(lts, actions);
  complain(fmt::format("cannot write {}: it is neither an .aut nor a .dot file", file));
  return std::nullopt;
}

ExitCode write_composed(const std::string& path, const std::string& output, size_t memory) {
  ExitCode exit_code = ExitCode::Usage;
  const std::optional<lts::Network> system = read_system_or_complain(path);
  if (!system || !in_format_of(output, {}, system->actions)) return exit_code;
  if (!output_is_writable(output)) return exit_code;
  const auto lts = compose_or_complain(*system, memory, exit_code);
  if (!lts) return exit_code;
  return write_output(*in_format_of(output, *lts, system->actions), output);
}

// A single file stays as it is, with its numbers and the states that cannot be reached.
ExitCode write_converted(const std::string& path, const std::string& output, size_t memory) {
  if (std::filesystem::path(path).extension() != ".aut") {
    return write_composed(path, output, memory);
  }
  const std::optional<lts::Network> system = read_system_or_complain(path);
  if (!system) return ExitCode::Usage;
  const auto text = in_format_of(output, system->processes[0].lts, system->actions);
  if (!text || !output_is_writable(output)) return ExitCode::Usage;
  return write_output(*text, output);
}

std::optional<lts::ExplicitLts> reduced(const lts::ExplicitLts& lts, lts::Equivalence equivalence,
                                        size_t memory) {
  if (equivalence != lts::Equivalence::Trace) return lts::reduce_bisimilar(lts, equivalence);
  return lts::reduce_traces(lts, memory);
}

// Runs graphviz with `dot` as its standard input. An error number, or -1 if graphviz failed.
int run_graphviz(const std::string& dot, const std::string& output) {
  FILE* input = std::tmpfile();
  if (input == nullptr) return errno;
  std::fwrite(dot.data(), 1, dot.size(), input);
  std::rewind(input);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input), 0);
  std::string name = "dot";
  std::string format = "-Tsvg";
  std::string out = "-o" + output;
  char* argv[] = {name.data(), format.data(), out.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, "dot", &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  std::fclose(input);
  if (error != 0) return error;
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) return -1;
  return 0;
}

}  // namespace

ExitCode lts_info_command(const std::vector<std::string>& arguments) {
  std::string path;
  std::string json;
  size_t memory = 0;
  ExitCode exit_code = ExitCode::Ok;
  const auto app = make_lts_app(
      "Counts the states that a system reaches, their transitions, deadlocks (states without "
      "transitions) and livelocks (states on a loop of internal actions).",
      "info [options] SYSTEM.net|FILE.aut");
  add_system(*app, path);
  add_memory_option(*app, memory);
  app->add_option("--json", json, "Write the numbers as JSON, too")->type_name("FILE");
  if (!parse(*app, arguments, exit_code)) return exit_code;
  const std::optional<lts::Network> system = read_system_or_complain(path);
  if (!system || !output_is_writable(json)) return ExitCode::Usage;
  const lts::Info info = lts::inspect(*system, {memory, &watch_interrupts()});
  if (!json.empty()) exit_code = write_output(json_report(info), json);
  if (info.stopped != lts::StopReason::None) {
    complain(fmt::format("only {} states were counted: {}", info.states, sentence(info.stopped)));
    return ExitCode::Incomplete;
  }
  fmt::print("{}", info_text(info));
  return exit_code;
}

ExitCode lts_compose_command(const std::vector<std::string>& arguments) {
  std::string path;
  std::string output;
  size_t memory = 0;
  ExitCode exit_code = ExitCode::Ok;
  const auto app = make_lts_app("Writes the part of a network's product that can be reached.",
                                "compose [options] SYSTEM.net [-o FILE.aut]");
  add_system(*app, path);
  add_output(*app, output);
  add_memory_option(*app, memory);
  if (!parse(*app, arguments, exit_code)) return exit_code;
  return write_composed(path, output, memory);
}

ExitCode lts_convert_command(const std::vector<std::string>& arguments) {
  std::string path;
  std::string output;
  size_t memory = 0;
  ExitCode exit_code = ExitCode::Ok;
  const auto app = make_lts_app("Writes a system as .aut (Aldebaran) or .dot (graphviz).",
                                "convert [options] SYSTEM.net|FILE.aut OUTPUT.aut|OUTPUT.dot");
  add_system(*app, path);
  app->add_option("OUTPUT", output, "A file that ends with .aut or .dot")->required();
  add_memory_option(*app, memory);
  if (!parse(*app, arguments, exit_code)) return exit_code;
  return write_converted(path, output, memory);
}

ExitCode lts_reduce_command(const std::vector<std::string>& arguments) {
  std::string path;
  std::string output;
  size_t memory = 0;
  lts::Equivalence equivalence = lts::Equivalence::Strong;
  ExitCode exit_code = ExitCode::Ok;
  const auto app = make_lts_app("Writes the least LTS that is equivalent to a system.",
                                "reduce [options] SYSTEM.net|FILE.aut [-o FILE.aut]");
  add_system(*app, path);
  add_output(*app, output);
  add_equivalence_option(*app, equivalence);
  add_memory_option(*app, memory);
  if (!parse(*app, arguments, exit_code)) return exit_code;
  const std::optional<lts::Network> system = read_system_or_complain(path);
  if (!system || !in_format_of(output, {}, system->actions)) return ExitCode::Usage;
  if (!output_is_writable(output)) return ExitCode::Usage;
  const auto lts = compose_or_complain(*system, memory, exit_code);
  if (!lts) return exit_code;
  const std::optional<lts::ExplicitLts> result = reduced(*lts, equivalence, memory);
  if (!result) {
    complain("the system could not be reduced: no memory was left for the sets of states");
    return ExitCode::Incomplete;
  }
  return write_output(*in_format_of(output, *result, system->actions), output);
}

ExitCode lts_draw_command(const std::vector<std::string>& arguments) {
  std::string path;
  std::string output;
  size_t memory = 0;
  ExitCode exit_code = ExitCode::Ok;
  const auto app = make_lts_app("Draws a system as SVG, by graphviz. Double circles are deadlocks.",
                                "draw [options] SYSTEM.net|FILE.aut -o FILE.svg");
  add_system(*app, path);
  app->add_option("-o,--output", output, "The picture")->required()->type_name("FILE");
  add_memory_option(*app, memory);
  if (!parse(*app, arguments, exit_code)) return exit_code;
  const std::optional<lts::Network> system = read_system_or_complain(path);
  if (!system || !output_is_writable(output)) return ExitCode::Usage;
  const auto lts = compose_or_complain(*system, memory, exit_code);
  if (!lts) return exit_code;
  if (lts->state_count() > kMostDrawnStates) {
    complain(
        fmt::format("{} has {} states, and {} are the most that can be drawn; 'mazurka lts "
                    "reduce' may help",
                    path, lts->state_count(), kMostDrawnStates));
    return ExitCode::Usage;
  }
  const int error = run_graphviz(lts::write_dot(*lts, system->actions), output);
  if (error == 0) return ExitCode::Ok;
  complain(fmt::format("cannot draw {}: graphviz's dot {}", path,
                       error > 0 ? std::strerror(error) : "failed"));
  return ExitCode::Trouble;
}

}  // namespace mazurka
