// Everything that we can say about one file of the program under test, by addresses within the
// file. Each part is read when first needed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "source/code_index.h"
#include "source/data_index.h"
#include "source/debug_file.h"
#include "source/symbols.h"

namespace mazurka {

class ModuleSource {
 public:
  explicit ModuleSource(const std::string& path) : file_(path) {}
  // Its parts refer to each other.
  ModuleSource(const ModuleSource&) = delete;
  ModuleSource& operator=(const ModuleSource&) = delete;

  bool has_debug_info() const { return file_.dwarf() != nullptr; }
  const SymbolTable& symbols();

  // From debug information, or else one frame from the symbols. Empty if neither knows the address.
  std::vector<CodeFrame> frames(uint64_t address);

  // From debug information only.
  std::optional<std::string> variable(uint64_t address);
  std::vector<StaticVariable> static_variables();
  std::vector<FunctionCode> functions();

 private:
  DataIndex& data();

  DebugFile file_;
  std::unique_ptr<SymbolTable> symbols_;
  Scopes scopes_;
  std::unique_ptr<CodeIndex> code_;
  std::unique_ptr<DataIndex> data_;
};

}  // namespace mazurka
