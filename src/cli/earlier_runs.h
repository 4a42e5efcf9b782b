// The other executions that a finding needs: its schedule file has them.
#pragma once

#include <optional>
#include <vector>

#include "execution/program.h"
#include "report/input/schedule_file.h"

namespace mazurka {

// What protected memory in the other executions that the finding needs. Nothing after it has said
// what is wrong.
std::optional<std::vector<std::vector<GuardedMemory>>> run_earlier(const ScheduleFile& file,
                                                                   Program& program);

}  // namespace mazurka
