// The commands of `mazurka`, each with the arguments after and including its name.
#pragma once

#include <string>
#include <vector>

#include "report/formats/report.h"

namespace mazurka {

struct NamedCommand {
  const char* name;
  const char* help;
  ExitCode (*run)(const std::vector<std::string>& arguments);
};

ExitCode check_command(const std::vector<std::string>& arguments);
ExitCode replay_command(const std::vector<std::string>& arguments);
ExitCode sim_command(const std::vector<std::string>& arguments);
ExitCode estimate_command(const std::vector<std::string>& arguments);
ExitCode doctor_command(const std::vector<std::string>& arguments);
ExitCode lts_command(const std::vector<std::string>& arguments);

}  // namespace mazurka
