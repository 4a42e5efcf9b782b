// Places in a file's code that the program's source has marked (mz_atomic and its like in
// mazurka.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka {

struct CodeMark {
  std::string word;      // "atomic"
  uint64_t address = 0;  // as in the file
};

std::vector<CodeMark> code_marks(const std::string& path);

}  // namespace mazurka
