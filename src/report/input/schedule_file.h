// A schedule as a small text file: what `mazurka check` writes for each finding and `mazurka
// replay` runs. A person can read it; reading it back is strict, so that a damaged file is noticed.
//
//   mazurka schedule 1
//   program ./philosophers 2
//   directory /home/me/examples
//   depth 10000
//   bound 0
//   livelock 0
//   divergence 5
//   tester answers.tester            (only if there was one)
//   memory visible                   (only if it was)
//   discipline checked               (or strict; only if it was)
//   udp lossy                        (only if it was)
//   io partial                       (only if it was)
//   annotation unshared scratch      (only if there are any)
//   finding deadlock "no thread can go on: ..."
//   steps 2
//   1 T0.1 lock forks+0x0  # forks[0] philosophers.c:12 in eat
//   2 T0.2 signal ready+0x0 -> T0.1
//   earlier 1                        (only if other executions belong to the finding: the steps of
//   each) 1 T0.2 lock forks+0x0 end
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/channel_options.h"
#include "explore/engine/search.h"
#include "report/input/annotations.h"
#include "report/words/describer.h"

namespace mazurka {

inline constexpr int kScheduleVersion = 1;
inline constexpr char kUnknownOperation[] = "?";

// A thread by its path from the first one: T0 is empty, T0.2 is {2}.
using ThreadPath = std::vector<uint32_t>;

struct ScheduledStep {
  enum class Form : uint8_t { Only, Number, Thread, Nobody };

  ThreadPath thread;
  std::string operation;   // "lock"; empty if it is not known
  std::string object;      // empty for none
  Form form = Form::Only;  // of the outcome
  Outcome number = 0;
  ThreadPath outcome_thread;
  std::string comment;  // not read back
};

struct ScheduleFile {
  std::vector<std::string> argv;
  std::string directory;         // in which the program was run
  std::string stdin_file;        // empty: none
  std::string tester_file = {};  // empty: none
  MemoryMode memory = MemoryMode::Races;
  Discipline discipline = Discipline::Unchecked;
  std::vector<AnnotationName> annotations = {};  // as far as they were not given up
  ChannelOptions channels = {};
  PrivateFiles private_files = PrivateFiles::None;
  Limits limits;
  FindingKind kind = FindingKind::Deadlock;
  std::string message;
  std::vector<ScheduledStep> steps;
  std::vector<std::vector<ScheduledStep>> earlier =
      {};  // of the other executions that it needs (Finding::earlier)
};

// "condition-wait"
std::string operation_word(OpKind kind);
// None for a word that is no operation.
OpKind kind_of_word(const std::string& word);

// Not of None.
const char* name_of(PrivateFiles files);

// What a schedule did, or should have done. Comments say what the source knows.
std::vector<ScheduledStep> scheduled_steps(const std::vector<PlannedStep>& schedule,
                                           const Execution& execution, const Program& program,
                                           const Describer& describer);

std::string to_text(const ScheduleFile& file);
Result<void> write_schedule(const ScheduleFile& file, const std::string& path);

// `name` is what errors call the text: "name:line: what is wrong".
Result<ScheduleFile> parse_schedule(const std::string& text, const std::string& name);
Result<ScheduleFile> read_schedule(const std::string& path);

// The plan's prefix that the steps are. It knows no objects: their ids differ from run to run, so
// these are compared by name afterwards.
Result<std::vector<PlannedStep>> prefix_of(const std::vector<ScheduledStep>& steps,
                                           Program& program);

// The first step that did something else than the file says: which, and what instead. Empty if none
// did.
std::string first_difference(const ScheduleFile& file, const Execution& execution,
                             const Describer& describer);

}  // namespace mazurka
