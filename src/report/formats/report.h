// What the reports print: a verdict, what it is about, and where its schedules lie.
#pragma once

#include <string>
#include <vector>

#include "explore/engine/search.h"
#include "report/words/describer.h"

namespace mazurka {

struct Report {
  const Verdict& verdict;
  const Describer& describer;
  std::vector<std::string>
      schedules;  // the file of each finding; empty where it could not be written
  std::vector<std::string> command = {};  // the program and its arguments
  uint32_t bound = 0;                     // as in Limits
  std::string version = {};               // of the command
};

// The exit codes of the command.
enum class ExitCode : int {
  Ok = 0,          // nothing found, and the search is complete
  Found = 1,       // something found
  Usage = 2,       // wrong usage or input
  Incomplete = 3,  // nothing found, but not complete (bounded, sampled, interrupted)
  Trouble = 4,     // the world or Mazurka failed; or two searches that were compared differ
};

ExitCode exit_code_of(const Verdict& verdict);

// "ok", "error", "incomplete"
const char* verdict_word(const Verdict& verdict);
// "complete", "bounded", "sampled"
const char* name_of(Guarantee guarantee);

}  // namespace mazurka
