// From a code address to the functions and lines it was compiled from, inlined calls included.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "source/debug_file.h"
#include "source/dies.h"

namespace mazurka {

struct CodeFrame {
  std::string function;
  std::string file;  // absolute, or as the compiler was told
  int line = 0;
};

// Requires that `file` and `scopes` outlive it.
class CodeIndex {
 public:
  CodeIndex(const DebugFile& file, Scopes& scopes);

  // Innermost first: the inlined functions, then the one they were inlined into. Empty if nothing
  // is known.
  std::vector<CodeFrame> frames(uint64_t address);

 private:
  struct Range {
    uint64_t start;
    uint64_t end;
    size_t index;  // into units_, or into a unit's functions
  };
  struct Functions {
    std::vector<Range> ranges;
    std::vector<Dwarf_Die> dies;
  };

  static const Range* smallest(const std::vector<Range>& ranges, uint64_t address);
  const Functions& functions(size_t unit);
  void add_ranges(Dwarf_Die die, size_t index, std::vector<Range>& ranges) const;
  std::string function_name_of(Dwarf_Die function);
  void set_line(const Unit& unit, uint64_t address, const Range* function, bool in_system_function,
                CodeFrame& frame) const;

  const DebugFile& file_;
  Scopes& scopes_;
  std::vector<Unit> units_;
  std::vector<Range> unit_ranges_;
  std::unordered_map<size_t, Functions> functions_;
};

}  // namespace mazurka
