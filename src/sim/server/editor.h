// The user's editor, opened at a line of the source that the page shows. No shell has a part in it:
// the command's words are split once, when it is given, and a file's name stays within its word.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace mazurka {

class Editor {
 public:
  // "code -g {file}:{line}": words as in a shell, with quotes and backslashes, but nothing is
  // expanded. An error says what is wrong with it.
  static Result<Editor> of(const std::string& command);

  // What is started: {file} and {line} replaced.
  std::vector<std::string> words(const std::string& file, uint64_t line) const;
  // Starts it, and does not wait for it.
  Result<void> open(const std::string& file, uint64_t line) const;

 private:
  explicit Editor(std::vector<std::string> words) : words_(std::move(words)) {}

  std::vector<std::string> words_;
};

}  // namespace mazurka
