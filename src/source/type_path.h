// The way from the start of a variable to one of its bytes, as the program would write it:
// "[2].lock".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "source/debug_file.h"
#include "source/dies.h"

namespace mazurka {

// Requires that `file` and `scopes` outlive it.
class TypePaths {
 public:
  TypePaths(const DebugFile& file, Scopes& scopes) : file_(file), scopes_(scopes) {}

  // Stops at synchronisation objects, and leaves out the members that a library keeps to itself: a
  // byte of std::array<T, 3> is
  // "[1].x", any byte of a std::mutex is "". Padding, and the inside of a scalar, is "+0x3".
  std::string path(Dwarf_Die type, uint64_t offset);

  std::optional<uint64_t> size_of(Dwarf_Die type);

 private:
  // Whether we are in a library's own members, of which nothing is shown until we leave them again.
  enum class Shown { Yes, No, OnlyElements };

  std::optional<std::string> walk(Dwarf_Die type, uint64_t offset, Shown shown, int depth);
  std::optional<std::string> walk_array(Dwarf_Die array, uint64_t offset, Shown shown, int depth);
  std::optional<std::string> walk_class(Dwarf_Die type, uint64_t offset, Shown shown, int depth);

  // The type without typedefs and qualifiers, or nothing where the walk must stop.
  std::optional<Dwarf_Die> open_type(Dwarf_Die type);
  Dwarf_Die defined(Dwarf_Die type);
  std::optional<Dwarf_Die> find_definition(std::string_view own_name,
                                           const std::string& qualified_name);

  const DebugFile& file_;
  Scopes& scopes_;
  std::map<std::string, std::optional<Dwarf_Die>> definitions_;
};

}  // namespace mazurka
