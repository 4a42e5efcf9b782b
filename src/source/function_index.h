// All functions of a file, with the code of each copy: out of line, or inlined into another
// function.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "source/debug_file.h"
#include "source/dies.h"
#include "source/source_map.h"

namespace mazurka {

// Requires that its arguments outlive it.
class FunctionIndex {
 public:
  FunctionIndex(const DebugFile& file, Scopes& scopes) : file_(file), scopes_(scopes) {}

  // A function comes after the one that it was inlined into.
  std::vector<FunctionCode> all();

 private:
  struct Name {
    std::string function;
    std::string class_name;
    std::string file;
  };

  // `around`: the place of the function in the list, or -1.
  void walk(Dwarf_Die die, int around, const Unit& unit, int depth);
  int add(Dwarf_Die function, int around, const Unit& unit);
  const Name& name_of(Dwarf_Die function, const Unit& unit);

  const DebugFile& file_;
  Scopes& scopes_;
  std::vector<FunctionCode> functions_;
  std::unordered_map<const void*, Name> names_;
};

}  // namespace mazurka
