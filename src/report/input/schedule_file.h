// A schedule as a small text file: what `mazurka check` writes for each finding and `mazurka
// replay` runs. A person can read it; reading it back is strict, so that a damaged file is noticed.
//
//   mazurka schedule 1
//   program ./philosophers 2
//   directory /home/me/examples
//   stdin words.txt                  if the program had one
//   memory visible                   if it was
//   discipline checked               or strict; if it was
//   atomics on                       if they were
//   udp lossy                        if it was
//   io partial                       if it was
//   spurious 1                       if waits could return for no reason
//   reuse 1                          if threads could get what others had given back
//   files private                    or private-with-addresses; if executions had such files
//   streams locked                   if the locks of streams were operations
//   access load /usr/bin/p 0x1234    as often as plain accesses of such code were operations;
//   "loop"
//                                    for one in a loop that waits
//   depth 10000
//   bound 0
//   livelock 0
//   divergence 5
//   tester answers.tester            if there was one
//   annotation unshared scratch      as often as there are any
//   finding deadlock "no thread can go on: ..."
//   steps 2
//   1 T0.1 lock forks+0x0  # forks[0] philosophers.c:12 in eat
//   2 T0.2 signal ready+0x0 -> T0.1
//   earlier 1                        for each other execution that belongs to the finding
//   1 T0.2 lock forks+0x0
//   end
//
// Lines come in this order, each once but where it says otherwise; those with an "if" may be
// missing. A line ends with a newline, the last one too, and nothing follows it. Empty lines are
// passed over, but not before the first line or one that may be missing. The first line is as it
// stands here, with the version (kScheduleVersion). The others are words with blanks between them,
// each plain or in double quotes with C escapes (words/quoting.h); a # that stands by itself begins
// a comment.
//
// `access` has a path and an address in that file; it has no effect where the file is another one.
// `program` has the command with its arguments. Numbers are decimal; `divergence` is seconds, above
// 0, perhaps with a fraction; depth and steps are at most kMaxSteps. `annotation` has a word of
// is_annotation and an exact name. `finding` has a name of a FindingKind and a message.
//
// `steps N` and `earlier N` are followed by N lines, a step each:
//   number     1 to N, in order
//   thread     T0, the first one; T0.2, the second that it created; T0.2.1, the first of that
//   operation  its name with - for blanks, or ? if it is not known
//   object     its name that is the same in every run; or no word at all
//   outcome    nothing if there is only one; "= 3", its number; "-> T0.1" or "-> nobody", where it
//              is a thread
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
  Atomics atomics = Atomics::Unseen;
  std::vector<AnnotationName> annotations = {};  // as far as they were not given up
  ChannelOptions channels = {};
  Needs needs;
  std::vector<SeenAccess> accesses = {};
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
