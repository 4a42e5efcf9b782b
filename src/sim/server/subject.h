// The program that is simulated, as the command has launched it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "execution/program.h"
#include "explore/findings/program_tester.h"
#include "program/standing_program.h"
#include "report/input/schedule_file.h"
#include "sim/server/editor.h"
#include "source/source_map.h"

namespace mazurka {

struct Subject {
  Program& program;
  // The files that are loaded by now.
  std::function<std::vector<LoadedFile>()> files;
  // Runs a plan and holds the program still after it. An error if its memory cannot be looked at.
  std::function<Result<void>(const Plan& plan, const Looker& looker)> look;
  // How it was called, and its limits: what goes into a schedule that is saved. Its steps do not
  // count.
  ScheduleFile header;
  std::shared_ptr<const ProgramTester> tester;  // or null
  // What protected memory in other executions that the finding of the schedule needs
  // (explore/findings/earlier_program.h).
  std::vector<std::vector<GuardedMemory>> earlier = {};
  std::shared_ptr<const Editor> editor = nullptr;  // or null
};

}  // namespace mazurka
