// A system: processes that synchronise on the actions they share (definition 3), and actions that
// are hidden after that. A single .aut file is a network of one process.
//
// Networks are written in .net files:
//
//   # one philosopher and one fork
//   process philosopher = "philosopher.aut"     (relative to the .net file)
//   process fork = "fork.aut"
//   alphabet fork break                         (takes part in it, without a transition)
//   hide think
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lts/model/explicit_lts.h"

namespace mazurka::lts {

struct Process {
  std::string name;
  ExplicitLts lts;
  std::vector<ActionId> alphabet;  // sorted, each once, without the internal action
};

struct Network {
  ActionTable actions;
  std::vector<Process> processes;
  std::vector<ActionId> hidden;  // sorted, each once

  // Whether some process takes part in the action.
  bool has(ActionId action) const;
  bool hides(ActionId action) const;
};

// The network of one process.
Network single(std::string name, ExplicitLts lts, ActionTable actions);

// How the parser gets at the files of processes: their text by path. Tests and fuzzers hand in
// their own.
using FileReader = std::function<Result<std::string>(const std::string& path)>;

Result<Network> read_net(std::string_view text, const std::string& file, const FileReader& reader);

// A network from FILE.net or FILE.aut.
Result<Network> read_system(const std::string& path);

}  // namespace mazurka::lts
