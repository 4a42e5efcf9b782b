// From a data address to the global or static variable it belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "source/debug_file.h"
#include "source/dies.h"
#include "source/source_map.h"
#include "source/symbols.h"
#include "source/type_path.h"

namespace mazurka {

// Requires that its arguments outlive it. Reads all debug information of the file once, when
// constructed.
class DataIndex {
 public:
  DataIndex(const DebugFile& file, const SymbolTable& symbols, Scopes& scopes);

  // "bank::accounts[2].lock"; nothing if no variable with debug information covers the address.
  std::optional<std::string> name(uint64_t address);

  // All variables, by address; of one that an optimiser has split, each piece.
  std::vector<StaticVariable> all();

 private:
  // An optimiser may split a variable: then each piece is a span.
  struct Span {
    uint64_t start;
    uint64_t size;
    uint64_t offset;  // of the span within its variable
    Dwarf_Die variable;
    Dwarf_Die lines;  // of its unit
  };

  void add(Dwarf_Die variable, Dwarf_Die lines);
  std::string variable_name(const Span& span);
  uint64_t whole_size(Dwarf_Die variable, uint64_t address);

  const DebugFile& file_;
  const SymbolTable& symbols_;
  Scopes& scopes_;
  TypePaths types_;
  std::vector<Span> spans_;
};

}  // namespace mazurka
