// The program under test as the commands see it: inspected, launched, with what its source knows.
#pragma once

#include <memory>

#include "base/result.h"
#include "cli/options.h"
#include "execution/program.h"
#include "program/binary/program_file.h"
#include "program/standing_program.h"
#include "report/words/places.h"
#include "sim/standing_state.h"

namespace mazurka {

class Target {
 public:
  virtual ~Target() = default;
  virtual Program& program() = 0;
  virtual const Program& program() const = 0;
  // Of the files that are loaded by now, so: ask after the executions.
  virtual std::vector<LoadedFile> files() const = 0;
  // What is said about its memory and its code by now (Program::annotate).
  virtual std::vector<AnnotatedMemory> annotated() const = 0;
  virtual std::vector<AnnotatedCode> annotated_code() const = 0;
  // Of the C and C++ libraries, what it calls and does to memory unseen
  // (program/binary/unseen_calls.h).
  virtual std::vector<std::string> unseen_calls() const = 0;
  // Of the program's own code that was built to tell its accesses, where it does not
  // (program/binary/unseen_code.h): "add (count.c:12)".
  virtual std::vector<std::string> unseen_places() const = 0;
  // Runs a plan and holds the program still after it.
  virtual Result<void> look(const Plan& plan, const Looker& looker) = 0;
  std::unique_ptr<Places> places() const { return source_places(files()); }
  // Must not outlive it.
  ObjectNames object_names() {
    return {program(), look_with([this](const Plan& plan, const Looker& looker) {
              return look(plan, looker);
            })};
  }
};

// Whether the command can be run at all. An error is the user's: wrong usage.
Result<ProgramFile> inspect(const Invocation& command);

// Starts it; with gdb, its one run is a gdb session. An error is the world's, or `stop` (null:
// never) was overdue.
Result<std::unique_ptr<Target>> launch(const Invocation& command, const ProgramFile& file,
                                       std::shared_ptr<const Stop> stop = nullptr);

}  // namespace mazurka
