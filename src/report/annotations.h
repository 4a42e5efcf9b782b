// What the user says about the memory of a program: a small file, one line for some variables.
//
//   # each worker has its own
//   unshared variable:scratch
//   tentatively-unshared file:statistics.c
//   tentatively-unshared class:Counter
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "program/execution.h"
#include "source/source_map.h"

namespace mazurka {

// "unshared", "tentatively-unshared"
const char* name_of(Sharing sharing);
std::optional<Sharing> sharing_of(const std::string& name);

struct AnnotatedVariable {
  std::string name;
  AnnotatedMemory memory = {};
};

class Annotations {
 public:
  // The error names file and line.
  static Result<Annotations> read(const std::string& path);
  // `name` is what errors call the text.
  static Result<Annotations> parse(const std::string& text, const std::string& name);
  // As a schedule file has them: by exact names.
  static Annotations of_names(const std::vector<std::pair<Sharing, std::string>>& names);

  // The variables that they are of, by address, none overlapping another. The first line about a variable counts. The error names
  // a line that is of no variable.
  Result<std::vector<AnnotatedVariable>> resolve(const std::vector<StaticVariable>& variables) const;

 private:
  enum class Of { Variable, File, Class, ExactName };
  struct Line {
    Sharing sharing;
    Of of;
    std::string pattern;
    std::string place;  // "file:line"
  };

  static bool matches(const Line& line, const StaticVariable& variable);

  std::vector<Line> lines_;
};

}  // namespace mazurka
