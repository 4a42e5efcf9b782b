// The lines of source files, for the reports that show them. Each file is read once.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace mazurka {

class SourceFiles {
 public:
  // The line's text without the spaces around it; lines count from 1. Empty if there is none.
  std::string line(const std::string& file, int number);
  // All lines; empty if it cannot be read.
  const std::vector<std::string>& lines(const std::string& file);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace mazurka
