// The variables of a state: the program is run until there once more, held still, and its memory
// read by debug information.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/views/naming.h"
#include "source/variables.h"

namespace mazurka {

class MemoryView {
 public:
  // The subject must outlive it.
  explicit MemoryView(const Subject& subject) : subject_(subject) {}

  // Locals of the thread's functions, globals as its process sees them, and the watched expressions
  // in its innermost function. What differs from the step before is marked.
  Result<Json> json(const Run& run, uint32_t at, ThreadId thread,
                    const std::vector<std::string>& watches, Naming& naming);

 private:
  struct Frame {
    std::string function;
    std::vector<ShownVariable> variables;
  };
  struct Values {
    bool is_known = false;
    std::vector<Frame> frames;
    std::vector<ShownVariable> globals;
    std::vector<ShownVariable> watches;
  };

  Result<Values> look(const Run& run, uint32_t at, ThreadId thread,
                      const std::vector<std::string>& watches, Naming& naming);
  void read(const StandingProgram& program, ThreadId thread,
            const std::vector<std::string>& watches, Naming& naming, Values& out);

  const Subject& subject_;
  size_t file_count_ = 0;
  std::unique_ptr<Variables> variables_;
};

}  // namespace mazurka
