// The commands of `mazurka lts`, each with the arguments after and including its name.
#pragma once

#include <string>
#include <vector>

#include "report/formats/report.h"

namespace mazurka {

ExitCode lts_verify_command(const std::vector<std::string>& arguments);
ExitCode lts_info_command(const std::vector<std::string>& arguments);
ExitCode lts_compose_command(const std::vector<std::string>& arguments);
ExitCode lts_convert_command(const std::vector<std::string>& arguments);
ExitCode lts_compare_command(const std::vector<std::string>& arguments);
ExitCode lts_reduce_command(const std::vector<std::string>& arguments);
ExitCode lts_draw_command(const std::vector<std::string>& arguments);
ExitCode lts_extract_command(const std::vector<std::string>& arguments);

}  // namespace mazurka
