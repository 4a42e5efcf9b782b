// The variables of a stopped program, by debug information: locals of its frames, its globals, and
// expressions over them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "source/frame_state.h"
#include "source/source_map.h"

namespace mazurka {

struct ShownVariable {
  std::string name;
  std::string type;
  std::string value;
};

// Reads files, and the program's memory through what it is given. Not for use by several threads at
// once.
class Variables {
 public:
  explicit Variables(std::vector<LoadedFile> modules);
  ~Variables();

  // Whether the frame's function is the user's own, with debug information.
  bool knows(const FrameState& frame);
  // Parameters and local variables that are in scope, innermost first; one that is hidden by
  // another is left out.
  std::vector<ShownVariable> locals(const FrameState& frame, const ReadMemory& memory);
  // Variables at namespace scope and static ones, of the user's own files; those that are
  // thread-local as the frame's thread has them. `frame` may be null.
  std::vector<ShownVariable> globals(const FrameState* frame, const ReadMemory& memory);

  // "count", "list->next.value", "forks[2]", "*p": by the frame's variables, then the global ones.
  // What cannot be said has a sentence for a value. `frame` may be null.
  ShownVariable evaluate(const std::string& expression, const FrameState* frame,
                         const ReadMemory& memory);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mazurka
