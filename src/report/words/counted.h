// "1 step", "2 steps". Used by the reports.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace mazurka {

inline std::string counted(uint64_t count, const char* noun, const char* plural = "s") {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : plural);
}

}  // namespace mazurka
