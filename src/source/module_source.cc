#include "source/module_source.h"

#include "source/function_index.h"
#include "source/names.h"

namespace mazurka {

const SymbolTable& ModuleSource::symbols() {
  if (!symbols_) symbols_ = std::make_unique<SymbolTable>(file_.symbol_files());
  return *symbols_;
}

std::vector<CodeFrame> ModuleSource::frames(uint64_t address) {
  if (!code_) code_ = std::make_unique<CodeIndex>(file_, scopes_);
  std::vector<CodeFrame> frames = code_->frames(address);
  // A name without a scope may be all that -g1 wrote down, so a mangled symbol knows more.
  const bool scoped = !frames.empty() && frames.back().function.find("::") != std::string::npos;
  if (scoped) return frames;
  if (const Symbol* symbol = symbols().function_at(address)) {
    if (frames.empty()) frames.emplace_back();
    std::string& name = frames.back().function;
    if (name.empty() || symbol->name.starts_with("_Z")) name = function_name(symbol->name);
  }
  return frames;
}

std::optional<std::string> ModuleSource::variable(uint64_t address) {
  if (!has_debug_info()) return std::nullopt;
  return data().name(address);
}

std::vector<StaticVariable> ModuleSource::static_variables() {
  if (!has_debug_info()) return {};
  return data().all();
}

std::vector<FunctionCode> ModuleSource::functions() {
  if (!has_debug_info()) return {};
  return FunctionIndex(file_, scopes_).all();
}

DataIndex& ModuleSource::data() {
  if (!data_) data_ = std::make_unique<DataIndex>(file_, symbols(), scopes_);
  return *data_;
}

}  // namespace mazurka
