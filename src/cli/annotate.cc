#include "cli/annotate.h"

#include <algorithm>
#include <utility>

namespace mazurka {

Result<std::vector<AnnotatedVariable>> annotate(const Annotations& annotations, Target& target) {
  std::vector<LoadedFile> files = target.files();
  std::erase_if(files, [](const LoadedFile& file) { return file.path.find("/libmazurka_rt.so") != std::string::npos; });
  Result<std::vector<AnnotatedVariable>> variables = annotations.resolve(SourceMap(std::move(files)).static_variables());
  if (!variables) return variables.error();
  std::vector<AnnotatedMemory> memory;
  for (const AnnotatedVariable& variable : *variables) memory.push_back(variable.memory);
  target.program().annotate(std::move(memory));
  return variables;
}

std::vector<std::pair<Sharing, std::string>> unshared_now(const std::vector<AnnotatedVariable>& variables, const Target& target) {
  const std::vector<AnnotatedMemory> memory = target.annotated();
  std::vector<std::pair<Sharing, std::string>> names;
  for (size_t i = 0; i < std::min(variables.size(), memory.size()); ++i) {
    if (memory[i].sharing != Sharing::Shared) names.emplace_back(memory[i].sharing, variables[i].name);
  }
  return names;
}

}  // namespace mazurka
