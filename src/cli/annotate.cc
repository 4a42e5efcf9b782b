#include "cli/annotate.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "program/binary/code_marks.h"
#include "program/binary/instrumentation.h"

namespace mazurka {

namespace {

// Others do not tell their accesses. A file may be listed several times.
std::vector<LoadedFile> instrumented_files(const Target& target) {
  std::vector<LoadedFile> files = target.files();
  std::erase_if(files, [](const LoadedFile& file) { return !is_instrumented(file.path); });
  return files;
}

}  // namespace

std::vector<AnnotationName> marked_functions(const Target& target) {
  const std::vector<LoadedFile> files = instrumented_files(target);
  std::optional<SourceMap> source;
  std::vector<AnnotationName> marked;
  std::set<std::string> seen;
  for (const LoadedFile& file : files) {
    if (!seen.insert(file.path).second) continue;
    for (const CodeMark& mark : code_marks(file.path)) {
      if (!source) source.emplace(files);
      const std::vector<Place> frames = source->frames(file.base + mark.address, false);
      if (frames.empty() || frames[0].function.empty())
        continue;  // without debug information: nothing is known of it
      AnnotationName name{mark.word, frames[0].function};
      if (std::find(marked.begin(), marked.end(), name) == marked.end())
        marked.push_back(std::move(name));
    }
  }
  return marked;
}

Result<Annotated> annotate(const Annotations& annotations, Target& target) {
  SourceMap source(instrumented_files(target));
  std::vector<FunctionCode> functions;
  if (annotations.are_about_code()) functions = source.functions();
  Result<Annotated> annotated = annotations.resolve(source.static_variables(), functions);
  if (!annotated) return annotated;
  std::vector<AnnotatedMemory> memory;
  for (const AnnotatedVariable& variable : annotated->variables) memory.push_back(variable.memory);
  target.program().annotate(std::move(memory), annotated->code);
  return annotated;
}

namespace {

const char* name_of(Sharing sharing) {
  return sharing == Sharing::Unshared ? "unshared" : "tentatively-unshared";
}

bool holds(const std::string& word, const AnnotatedCode& code) {
  if (word.ends_with("-heap")) return code.allocates != Sharing::Shared;
  if (word.ends_with("-stack")) return code.starts != Sharing::Shared;
  return true;
}

}  // namespace

std::vector<std::string> commuting_functions(const Annotated& annotated) {
  std::vector<std::string> functions;
  for (const std::vector<AnnotationName>& names : annotated.functions) {
    for (const auto& [word, name] : names) {
      if (word == "commuting") functions.push_back(name);
    }
  }
  return functions;
}

std::vector<AnnotationName> annotations_now(const Annotated& annotated, const Target& target) {
  const std::vector<AnnotatedMemory> memory = target.annotated();
  std::vector<AnnotationName> names;
  for (size_t i = 0; i < std::min(annotated.variables.size(), memory.size()); ++i) {
    if (memory[i].sharing != Sharing::Shared)
      names.emplace_back(name_of(memory[i].sharing), annotated.variables[i].name);
  }
  for (const AnnotatedCode& code : target.annotated_code()) {
    for (const AnnotationName& name : annotated.functions.at(code.name)) {
      if (holds(name.first, code) && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  }
  return names;
}

}  // namespace mazurka
