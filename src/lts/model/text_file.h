// Reading text: a whole file, and lines of words as in .net and .tester files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mazurka::lts {

Result<std::string> read_file(const std::string& path);

// "file:line: sentence"
Error error_at(std::string_view file, size_t line, std::string_view sentence);

struct Line {
  size_t number = 0;
  std::vector<std::string> words;
};

// The lines that have words. Words stand between blanks; a word or a part of it may stand in double
// quotes, in which \" and \\ mean " and \; a word that begins with # starts a comment.
Result<std::vector<Line>> read_lines(std::string_view text, std::string_view file);

}  // namespace mazurka::lts
