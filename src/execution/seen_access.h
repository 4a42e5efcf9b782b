// A plain load or store of code that does not tell us its accesses, made visible because it uses a
// word that locked instructions use.
#pragma once

#include <cstdint>
#include <string>

namespace mazurka {

struct SeenAccess {
  std::string path;         // of the file
  uint64_t address = 0;     // as in the file
  bool is_in_loop = false;  // what its thread does behind it is seen, too

  bool operator==(const SeenAccess&) const = default;
};

}  // namespace mazurka
