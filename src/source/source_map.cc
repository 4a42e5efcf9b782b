#include "source/source_map.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "source/module_source.h"
#include "source/names.h"

namespace mazurka {
namespace {

std::string current_directory() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

}  // namespace

class SourceMap::Impl {
 public:
  Impl(std::vector<LoadedFile> modules, std::string directory)
      : modules_(std::move(modules)), directory_(std::move(directory)) {}

  const std::vector<Place>& frames(uint64_t address);
  std::vector<Place> user_frames(uint64_t address);
  Place user_place(const std::vector<uint64_t>& stack);
  const std::optional<std::string>& variable(uint64_t address);
  bool has_debug_info(uint64_t address);
  std::vector<StaticVariable> static_variables();
  std::vector<FunctionCode> functions();

 private:
  const LoadedFile* module_at(uint64_t address) const;
  ModuleSource& source(const LoadedFile& module);
  std::vector<Place> find_frames(uint64_t address);
  Place outside_runtime(const std::vector<uint64_t>& stack);
  Place place(const LoadedFile& module, const CodeFrame& frame) const;
  std::optional<std::string> find_variable(uint64_t address);
  std::optional<std::string> copied_variable(const Symbol& symbol, uint64_t offset,
                                             const LoadedFile& copy);

  std::vector<LoadedFile> modules_;
  std::string directory_;
  std::map<std::string, std::unique_ptr<ModuleSource>> sources_;
  std::unordered_map<uint64_t, std::vector<Place>> frames_;
  std::unordered_map<uint64_t, std::optional<std::string>> variables_;
};

const LoadedFile* SourceMap::Impl::module_at(uint64_t address) const {
  const auto it = std::find_if(modules_.begin(), modules_.end(), [&](const LoadedFile& module) {
    return address >= module.start && address < module.end;
  });
  return it == modules_.end() ? nullptr : &*it;
}

ModuleSource& SourceMap::Impl::source(const LoadedFile& module) {
  std::unique_ptr<ModuleSource>& source = sources_[module.path];
  if (!source) source = std::make_unique<ModuleSource>(module.path);
  return *source;
}

const std::vector<Place>& SourceMap::Impl::frames(uint64_t address) {
  const auto it = frames_.find(address);
  if (it != frames_.end()) return it->second;
  return frames_.emplace(address, find_frames(address)).first->second;
}

std::vector<Place> SourceMap::Impl::find_frames(uint64_t address) {
  const LoadedFile* module = module_at(address);
  if (module == nullptr) return {};
  std::vector<Place> places;
  for (const CodeFrame& frame : source(*module).frames(address - module->base)) {
    places.push_back(place(*module, frame));
  }
  if (places.empty()) places.push_back(place(*module, CodeFrame{}));
  return places;
}

Place SourceMap::Impl::place(const LoadedFile& module, const CodeFrame& frame) const {
  Place place;
  place.function = frame.function;
  place.file = shorten(frame.file, directory_);
  place.line = frame.line;
  place.module = file_part(module.path);
  const bool system = frame.file.empty()
                          ? frame.function.empty() || is_library_function(frame.function)
                          : is_system_file(frame.file);
  place.in_user_code = !system && !is_system_module(module.path);
  return place;
}

// Does not read the debug information of libraries that have no user code: that of libc, where it
// is installed, takes longer than all else that a short search does.
std::vector<Place> SourceMap::Impl::user_frames(uint64_t address) {
  const LoadedFile* module = module_at(address);
  if (module == nullptr || is_system_module(module->path)) return {};
  std::vector<Place> places = frames(address);
  std::erase_if(places, [](const Place& place) { return !place.in_user_code; });
  return places;
}

Place SourceMap::Impl::outside_runtime(const std::vector<uint64_t>& stack) {
  for (const uint64_t pc : stack) {
    for (const Place& place : frames(pc - 1)) {
      if (!is_runtime_module(place.module)) return place;
    }
  }
  return {};
}

Place SourceMap::Impl::user_place(const std::vector<uint64_t>& stack) {
  std::optional<Place> without_line;
  for (const uint64_t pc : stack) {
    for (const Place& place : user_frames(pc - 1)) {
      if (place.line != 0) return place;
      if (!without_line) without_line = place;
    }
  }
  return without_line ? *without_line : outside_runtime(stack);
}

const std::optional<std::string>& SourceMap::Impl::variable(uint64_t address) {
  const auto it = variables_.find(address);
  if (it != variables_.end()) return it->second;
  return variables_.emplace(address, find_variable(address)).first->second;
}

std::optional<std::string> SourceMap::Impl::find_variable(uint64_t address) {
  const LoadedFile* module = module_at(address);
  if (module == nullptr) return std::nullopt;
  const uint64_t in_file = address - module->base;
  if (auto name = source(*module).variable(in_file)) return name;
  const Symbol* symbol = source(*module).symbols().object_at(in_file);
  if (symbol == nullptr) {
    return std::string(file_part(module->path)) + "+" + hex(in_file);
  }
  const uint64_t offset = in_file - symbol->address;
  if (auto name = copied_variable(*symbol, offset, *module)) return name;
  const std::string name = object_name(symbol->name);
  return offset == 0 ? name : name + "+" + hex(offset);
}

// The linker copies a library's variable into a program that refers to it directly (a copy
// relocation); its debug information stays with the library.
std::optional<std::string> SourceMap::Impl::copied_variable(const Symbol& symbol, uint64_t offset,
                                                            const LoadedFile& copy) {
  for (const LoadedFile& module : modules_) {
    if (module.path == copy.path) continue;
    ModuleSource& original = source(module);
    const Symbol* twin =
        original.has_debug_info() ? original.symbols().object_named(symbol.name) : nullptr;
    if (twin == nullptr) continue;
    if (auto name = original.variable(twin->address + offset)) return name;
  }
  return std::nullopt;
}

bool SourceMap::Impl::has_debug_info(uint64_t address) {
  const LoadedFile* module = module_at(address);
  return module != nullptr && source(*module).has_debug_info();
}

// A file may be listed several times.
std::vector<StaticVariable> SourceMap::Impl::static_variables() {
  std::vector<StaticVariable> all;
  std::set<std::string> seen;
  for (const LoadedFile& module : modules_) {
    if (!seen.insert(module.path).second) continue;
    for (StaticVariable& variable : source(module).static_variables()) {
      variable.address += module.base;
      all.push_back(std::move(variable));
    }
  }
  return all;
}

std::vector<FunctionCode> SourceMap::Impl::functions() {
  std::vector<FunctionCode> all;
  std::set<std::string> seen;
  for (const LoadedFile& module : modules_) {
    if (!seen.insert(module.path).second) continue;
    const auto first = static_cast<int>(all.size());
    for (FunctionCode& function : source(module).functions()) {
      if (function.around >= 0) function.around += first;
      function.entry += module.base;
      for (auto& [begin, end] : function.ranges) {
        begin += module.base;
        end += module.base;
      }
      all.push_back(std::move(function));
    }
  }
  return all;
}

SourceMap::SourceMap(std::vector<LoadedFile> modules)
    : SourceMap(std::move(modules), current_directory()) {}

SourceMap::SourceMap(std::vector<LoadedFile> modules, std::string directory)
    : impl_(std::make_unique<Impl>(std::move(modules), std::move(directory))) {}

SourceMap::SourceMap(SourceMap&&) noexcept = default;
SourceMap& SourceMap::operator=(SourceMap&&) noexcept = default;
SourceMap::~SourceMap() = default;

std::vector<Place> SourceMap::frames(uint64_t pc, bool return_address) {
  return impl_->frames(return_address ? pc - 1 : pc);
}

std::vector<Place> SourceMap::user_frames(uint64_t pc, bool return_address) {
  return impl_->user_frames(return_address ? pc - 1 : pc);
}

Place SourceMap::user_place(const std::vector<uint64_t>& stack) { return impl_->user_place(stack); }

std::optional<std::string> SourceMap::variable(uint64_t address) {
  return impl_->variable(address);
}

std::vector<StaticVariable> SourceMap::static_variables() { return impl_->static_variables(); }

std::vector<FunctionCode> SourceMap::functions() { return impl_->functions(); }

bool SourceMap::has_debug_info(uint64_t address) { return impl_->has_debug_info(address); }

std::string to_string(const Place& place) {
  std::string where = place.module;
  if (!place.file.empty()) where = place.file + ":" + std::to_string(place.line);
  if (place.function.empty()) return where;
  if (place.file.empty()) return where.empty() ? place.function : place.function + " in " + where;
  return where + " in " + place.function;
}

}  // namespace mazurka
