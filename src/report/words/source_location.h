// "src/bank.cpp:12" taken apart, for the formats that want file and line by themselves.
#pragma once

#include <cstdlib>
#include <string>

namespace mazurka {

struct SourceLocation {
  std::string file;  // empty if it is not known
  int line = 0;
};

inline SourceLocation source_location(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {};
  return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)};
}

}  // namespace mazurka
