// Reads the flags of each command. One sentence about whatever is wrong, never a guess.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "execution/channel_options.h"
#include "explore/engine/search.h"
#include "protocol/segment.h"
#include "report/formats/report.h"
#include "report/words/text_style.h"

namespace mazurka {

// What to run, and how.
struct Invocation {
  std::vector<std::string> argv;
  std::string stdin_file;  // empty: nothing
  Carrier carrier = Carrier::Fibers;
  bool gdb = false;
  std::vector<std::string> gdb_arguments;
  Reset reset = Reset::InPlace;
  bool only_this_reset = false;
  MemoryMode memory = MemoryMode::Races;
  Discipline discipline = Discipline::Unchecked;
  Atomics atomics = Atomics::Seen;
  ChannelOptions channels = {};
};

struct CheckOptions {
  Invocation command;
  SearchOptions search;
  std::string compare;       // another search, or empty
  std::string tester;        // a file, or empty
  std::string suppressions;  // a file, or empty
  std::string annotations;   // a file, or empty
  std::string json;          // files, or empty
  std::string sarif;
  std::string junit;
  std::string html;
  std::string schedules = ".";  // a directory
  std::string checkpoint;       // files, or empty
  std::string resume;
  bool quiet = false;
  TextStyle style;
};

struct EstimateOptions {
  Invocation command;
  SearchOptions search;
  std::string json;  // a file, or empty
  TextStyle style;
};

struct ExtractOptions {
  Invocation command;
  SearchOptions search;
  std::string output;  // a file; empty: standard output
};

struct ReplayOptions {
  std::string file;
  Carrier carrier = Carrier::Fibers;
  bool gdb = false;
  std::vector<std::string> gdb_arguments;
  TextStyle style;
};

struct SimOptions {
  Invocation command;    // without words, the schedule says which
  std::string schedule;  // a file, or empty
  std::string tester;    // a file, or empty
  Limits limits;
  uint64_t port = 0;   // 0: any
  bool opens = true;   // the browser
  std::string editor;  // a command with {file} and {line}, or empty
};

// Nothing after --help or wrong usage: then it has been said, and `exit_code` is set. `arguments`
// begin with the name of the command ("check").
std::optional<CheckOptions> read_check_options(const std::vector<std::string>& arguments,
                                               ExitCode& exit_code);
std::optional<EstimateOptions> read_estimate_options(const std::vector<std::string>& arguments,
                                                     ExitCode& exit_code);
std::optional<ExtractOptions> read_extract_options(const std::vector<std::string>& arguments,
                                                   ExitCode& exit_code);
std::optional<ReplayOptions> read_replay_options(const std::vector<std::string>& arguments,
                                                 ExitCode& exit_code);

std::optional<SimOptions> read_sim_options(const std::vector<std::string>& arguments,
                                           ExitCode& exit_code);

}  // namespace mazurka
