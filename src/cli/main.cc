// The command `mazurka`: finds the command that is meant.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <new>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/suggestions.h"

namespace mazurka {
namespace {

constexpr NamedCommand kTopCommands[] = {
    {"check", "explore every behaviour of a program", check_command},
    {"replay", "run the schedule of a finding again", replay_command},
    {"estimate", "tell how large the search of a program is", estimate_command},
    {"sim", "step through a program in the browser", sim_command},
    {"doctor", "tell what works on this machine, and what is slow", doctor_command},
    {"lts", "verify labelled transition systems, and more", lts_command},
};

std::string top_usage() {
  std::string text = "Usage: mazurka COMMAND ...\n\n";
  for (const NamedCommand& command : kTopCommands) {
    text += fmt::format("  mazurka {:<8} {}\n", command.name, command.help);
  }
  return text +
         "\n  mazurka check ./my_test             every behaviour, or the first that is wrong\n"
         "  mazurka replay my_test.deadlock-1.schedule   that one again, step by step\n"
         "\n'mazurka COMMAND --help' tells more; 'mazurka --version' says which this is.\n";
}

// In whatever thread, and without any memory: the program under test dies with us.
[[noreturn]] void say_out_of_memory() {
  constexpr char kSentence[] = "mazurka: out of memory\n";
  if (write(STDERR_FILENO, kSentence, sizeof kSentence - 1) < 0) errno = 0;  // nobody to tell
  _exit(static_cast<int>(ExitCode::Trouble));
}

ExitCode run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    complain("there is no command; 'mazurka --help' lists them");
    return ExitCode::Usage;
  }
  const std::string& name = arguments[0];
  if (name == "--help" || name == "-h") {
    fmt::print("{}", top_usage());
    return ExitCode::Ok;
  }
  if (name == "--version") {
    fmt::print("mazurka {}\n", MAZURKA_VERSION);
    return ExitCode::Ok;
  }
  for (const NamedCommand& command : kTopCommands) {
    if (name == command.name) return command.run(arguments);
  }
  std::vector<std::string> known;
  for (const NamedCommand& command : kTopCommands) known.emplace_back(command.name);
  complain(fmt::format(
      "there is no command '{}'{}", name,
      closest(name, known).empty() ? "; 'mazurka --help' lists them" : did_you_mean(name, known)));
  return ExitCode::Usage;
}

}  // namespace
}  // namespace mazurka

int main(int argc, char** argv) {
  using mazurka::ExitCode;
  std::set_new_handler(mazurka::say_out_of_memory);
  ExitCode exit_code = ExitCode::Trouble;
  try {
    exit_code = mazurka::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {  // a bug of ours
    mazurka::complain(error.what());
  }
  const bool is_written = mazurka::output_is_written();
  // That something was found is worth more than where it could not be said.
  if (!is_written && exit_code != ExitCode::Found) exit_code = ExitCode::Trouble;
  return static_cast<int>(exit_code);
}
