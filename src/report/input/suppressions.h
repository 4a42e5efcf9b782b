// Races that the user knows and does not want to hear of: a small file, one pattern a line.
//
//   # what the library does is its own business
//   function:Logger::*
//   file:third_party/*
//   variable:statistics
//   race:anything of these
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "explore/findings/findings.h"
#include "report/words/describer.h"

namespace mazurka {

class Suppressions {
 public:
  // The error names file and line.
  static Result<Suppressions> read(const std::string& path);
  // `name` is what errors call the text.
  static Result<Suppressions> parse(const std::string& text, const std::string& name);

  // Whether one of them is of this finding: a race with such a function or file in the stack of one
  // of its accesses, or on such a variable.
  bool cover(const Finding& finding, const Describer& describer);

  // The lines that covered nothing so far, as they stand in the file.
  std::vector<std::string> unused() const;

 private:
  enum class Of { Function, File, Variable, Any };
  struct Pattern {
    Of of;
    std::string text;
    std::string line;
    bool is_used = false;
  };

  bool matches(const Pattern& pattern, const MemoryConflict& conflict,
               const Describer& describer) const;

  std::vector<Pattern> patterns_;
};

// Whether the text is what the pattern says, where '*' stands for anything.
bool matches_pattern(const std::string& pattern, const std::string& text);

}  // namespace mazurka
