// What the user says about the memory and the code of a program: a small file, one line for some
// variables or functions.
//
//   # each worker has its own
//   unshared variable:scratch
//   tentatively-unshared file:statistics.c
//   unshared heap:make_buffer
//   atomic class:Counter
//
// A line is a word, blanks, what it is about, a colon and a pattern up to the end of the line,
// without the blanks there. Lines that are empty or begin with # (after blanks) say nothing.
//   unshared, tentatively-unshared: of variable:, file:, class: (of static variables: by name, by
//     the source file that has them, by type), heap: or stack: (what a function of this name
//     allocates or has on its stack)
//   method, atomic, commuting: of the calls of function:, file: or class: (by name, by source file,
//     by the class that they are methods of)
// A pattern that is of nothing in the program is an error. In schedule files the word may be
// followed by -heap or -stack, and the name is an exact one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "execution/execution.h"
#include "report/input/annotated_code.h"
#include "source/source_map.h"

namespace mazurka {

// A line of a schedule file: what is said, "unshared" or "atomic", and about what, by its exact
// name.
using AnnotationName = std::pair<std::string, std::string>;
bool is_annotation(const std::string& word);

struct AnnotatedVariable {
  std::string name;
  AnnotatedMemory memory = {};
};

// Which variables and functions they are of.
struct Annotated {
  std::vector<AnnotatedVariable> variables;  // by address, none overlapping another
  std::vector<AnnotatedCode> code;
  // Of functions, what their AnnotatedCode::name stands for; one may have several.
  std::vector<std::vector<AnnotationName>> functions;
};

class Annotations {
 public:
  // The error names file and line.
  static Result<Annotations> read(const std::string& path);
  // `name` is what errors call the text.
  static Result<Annotations> parse(const std::string& text, const std::string& name);
  // As a schedule file has them. Requires that all words are annotations.
  static Annotations of_names(const std::vector<AnnotationName>& names);

  // Behind those that are there, so that they count less.
  void add(const std::vector<AnnotationName>& names);

  bool are_about_code() const;

  // The first line about a variable counts; of lines about functions, the first that says something
  // about their calls, their heap blocks and their stacks. The error names a line that is of
  // nothing.
  Result<Annotated> resolve(const std::vector<StaticVariable>& variables,
                            const std::vector<FunctionCode>& functions) const;

 private:
  enum class About { Variables, Calls, Heap, Stack };
  enum class By { Name, File, Class, ExactName };
  struct Line {
    std::string word;
    About about;
    By by;
    std::string pattern;
    std::string place;  // "file:line"
  };
  using Used = std::vector<bool>;

  static Result<Line> parse_line(const std::string& word, const std::string& rest);
  static bool matches(const Line& line, const std::string& name, const std::string& file,
                      const std::string& class_name);
  std::vector<AnnotatedVariable> find_variables(const std::vector<StaticVariable>& variables,
                                                Used& used) const;
  void find_functions(const std::vector<FunctionCode>& functions, Used& used, Annotated& out) const;
  FunctionClaim claim_of(const FunctionCode& function, Used& used,
                         std::vector<AnnotationName>& names) const;

  std::vector<Line> lines_;
};

}  // namespace mazurka
