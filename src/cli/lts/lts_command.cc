// `mazurka lts`: finds the command that is meant.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/lts/lts_commands.h"
#include "cli/options.h"
#include "cli/suggestions.h"

namespace mazurka {
namespace {

constexpr NamedCommand kLtsCommands[] = {
    {"verify", "verify a system against a tester", lts_verify_command},
    {"info", "count states, transitions, deadlocks and livelocks", lts_info_command},
    {"compose", "write the product of a network", lts_compose_command},
    {"convert", "write a system in another format", lts_convert_command},
    {"compare", "tell whether two systems are equivalent", lts_compare_command},
    {"reduce", "write the least equivalent LTS", lts_reduce_command},
    {"draw", "draw a system as SVG", lts_draw_command},
    {"extract", "write the events of a program as an LTS", lts_extract_command},
};

std::string lts_usage() {
  std::string text =
      "Usage: mazurka lts COMMAND ...\n\n"
      "Labelled transition systems: networks (.net) of Aldebaran files (.aut), and testers.\n\n";
  for (const NamedCommand& command : kLtsCommands) {
    text += fmt::format("  mazurka lts {:<8} {}\n", command.name, command.help);
  }
  return text + "\n'mazurka lts COMMAND --help' tells more.\n";
}

}  // namespace

ExitCode lts_command(const std::vector<std::string>& arguments) {
  if (arguments.size() < 2) {
    complain("there is no command; 'mazurka lts --help' lists them");
    return ExitCode::Usage;
  }
  const std::string& name = arguments[1];
  if (name == "--help" || name == "-h") {
    fmt::print("{}", lts_usage());
    return ExitCode::Ok;
  }
  for (const NamedCommand& command : kLtsCommands) {
    if (name == command.name) return command.run({arguments.begin() + 1, arguments.end()});
  }
  std::vector<std::string> known;
  for (const NamedCommand& command : kLtsCommands) known.emplace_back(command.name);
  complain(fmt::format("there is no command 'lts {}'{}", name,
                       closest(name, known).empty() ? "; 'mazurka lts --help' lists them"
                                                    : did_you_mean(name, known)));
  return ExitCode::Usage;
}

}  // namespace mazurka
