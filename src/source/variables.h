// The variables of a stopped program, by debug information: locals of its frames, its globals, and
// expressions over them.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "source/frame_state.h"
#include "source/frame_variables.h"
#include "source/source_map.h"

namespace mazurka {

struct ShownVariable {
  std::string name;
  std::string type;
  std::string value;
  std::string path;                       // from the variable to this part of it, for Opened
  bool has_parts = false;                 // it can be opened
  std::vector<ShownVariable> parts = {};  // of one that is open
};

// The variables and parts that are open, by their paths.
using Opened = std::set<std::string>;

// Between the names of a path.
inline constexpr char kPathSeparator = '\x1f';

// Reads files, and the program's memory through what it is given. Not for use by several threads at
// once.
class Variables {
 public:
  explicit Variables(std::vector<LoadedFile> modules);
  ~Variables();

  // The user's own functions that the frame is in, innermost first.
  std::vector<FrameCall> calls(const FrameState& frame, const ReadMemory& memory);
  // Its parameters and local variables that are in scope, and `this`. Their paths begin with
  // `scope`.
  std::vector<ShownVariable> locals(const FrameCall& call, const std::string& scope,
                                    const ReadMemory& memory, const Opened& opened);
  // Variables at namespace scope and static ones, of the user's own files; those that are
  // thread-local as the frame's thread has them. `frame` may be null.
  std::vector<ShownVariable> globals(const FrameState* frame, const std::string& scope,
                                     const ReadMemory& memory, const Opened& opened);

  // "count", "list->next.value", "forks[2]", "*p": by the variables of the call and what `this`
  // has, then the global ones. What cannot be said has a sentence for a value. `call` and `frame`
  // may be null.
  ShownVariable evaluate(const std::string& expression, const FrameCall* call,
                         const FrameState* frame, const std::string& scope,
                         const ReadMemory& memory, const Opened& opened);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mazurka
