// "1 step", "2 steps".
#pragma once

#include <cstdint>
#include <string>

namespace mazurka {

inline std::string counted(uint64_t count, const char* noun, const char* plural = "s") {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : plural);
}

}  // namespace mazurka
