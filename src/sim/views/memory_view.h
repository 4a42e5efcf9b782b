// The variables of a state: the program is run until there once more, held still, and its memory
// read by debug information.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/runs.h"
#include "sim/server/json_type.h"
#include "source/variables.h"

namespace mazurka {

class MemoryView {
 public:
  // The subject must outlive it.
  explicit MemoryView(const Subject& subject) : subject_(subject) {}

  // What the page wants to see.
  struct Wish {
    ThreadId thread = kMainThread;
    std::vector<std::string> watches;  // expressions
    std::string function;              // in which they are meant; empty: the innermost
    uint64_t callers = 0;              // calls of the same function around that one
    Opened opened;                     // by paths that it was given
  };

  // Locals of the thread's functions, globals as its process sees them, and the watched
  // expressions. What differs from the step before is marked.
  Result<Json> json(const Run& run, uint32_t at, const Wish& wish);

 private:
  struct Frame {
    std::string function;
    uint64_t callers = 0;
    std::vector<ShownVariable> variables;
  };
  struct Values {
    bool is_known = false;
    std::vector<Frame> frames;
    std::vector<ShownVariable> globals;
    std::vector<ShownVariable> watches;
  };

  Result<Values> look(const Run& run, uint32_t at, const Wish& wish);
  void read(const StandingProgram& program, const Wish& wish, Values& out);

  const Subject& subject_;
  size_t file_count_ = 0;
  std::unique_ptr<Variables> variables_;
};

}  // namespace mazurka
