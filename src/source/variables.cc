#include "source/variables.h"

#include <dwarf.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "source/debug_file.h"
#include "source/dies.h"
#include "source/names.h"
#include "source/value_text.h"
#include "source/watch_parser.h"

namespace mazurka {
namespace {

constexpr char kGone[] = "<optimised out>";
constexpr size_t kMostGlobals = 300;

bool is_variable(Dwarf_Die die) {
  const int tag = dwarf_tag(&die);
  return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

// Also where DW_AT_abstract_origin and DW_AT_specification lead.
std::string name_also_elsewhere(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(&die, DW_AT_name, &attribute) == nullptr) return "";
  const char* name = dwarf_formstring(&attribute);
  return name == nullptr ? "" : name;
}

// From the innermost scope around the address to its function.
std::vector<Dwarf_Die> scopes_at(Dwarf_Die unit, uint64_t address) {
  Dwarf_Die* found = nullptr;
  const int count = dwarf_getscopes(&unit, address, &found);
  std::vector<Dwarf_Die> scopes;
  for (int i = 0; i < count; ++i) {
    scopes.push_back(found[i]);
    if (dwarf_tag(&found[i]) == DW_TAG_subprogram) break;
  }
  std::free(found);
  const bool complete = !scopes.empty() && dwarf_tag(&scopes.back()) == DW_TAG_subprogram;
  return complete ? scopes : std::vector<Dwarf_Die>();
}

// At an address, or at a place in each thread's block.
bool is_fixed(const Dwarf_Op* ops, size_t count) {
  if (count == 1) return ops[0].atom == DW_OP_addr || ops[0].atom == DW_OP_addrx;
  return count == 2 &&
         (ops[1].atom == DW_OP_form_tls_address || ops[1].atom == DW_OP_GNU_push_tls_address);
}

// A variable with its place in the stopped program.
struct Found {
  std::string name;
  Dwarf_Die type;
  std::optional<Location> location;
};

}  // namespace

class Variables::Impl {
 public:
  explicit Impl(std::vector<LoadedFile> modules) : modules_(std::move(modules)) {}

  bool knows(const FrameState& frame) {
    const LoadedFile* module = module_at(frame.pc - 1);
    return module != nullptr && !scopes_of(*module, frame.pc - 1).empty();
  }

  std::vector<Found> locals(const FrameState& frame, const ReadMemory& memory) {
    std::vector<Found> all;
    const LoadedFile* module = module_at(frame.pc - 1);
    if (module == nullptr) return all;
    const std::vector<Dwarf_Die> scopes = scopes_of(*module, frame.pc - 1);
    if (scopes.empty()) return all;
    const LocationContext context{&frame, frame.pc - 1 - module->base, module->base, &memory,
                                  scopes.back()};
    std::set<std::string> seen;
    for (const Dwarf_Die& scope : scopes) {
      visit_children(scope, [&](Dwarf_Die die) {
        const std::string name = is_variable(die) ? name_also_elsewhere(die) : "";
        const auto type = name.empty() ? std::nullopt : reference(die, DW_AT_type);
        if (type && seen.insert(name).second)
          all.push_back({name, *type, location_of(die, context)});
        return true;
      });
    }
    return all;
  }

  std::vector<Found> globals(const FrameState* frame, const ReadMemory& memory) {
    std::vector<Found> all;
    for (const LoadedFile& module : modules_) {
      if (is_system_module(module.path) || is_runtime_module(module.path)) continue;
      LocationContext context{nullptr, 0, module.base, &memory, std::nullopt};
      const uint64_t block = known(module).file.thread_block_size();
      if (frame != nullptr && frame->thread_pointer != 0 && block != 0)
        context.thread_block = frame->thread_pointer - block;
      for (const auto& [name, die] : global_dies(module)) {
        const auto type = reference(die, DW_AT_type);
        const auto location = type ? location_of(die, context) : std::nullopt;
        if (location && location->address) all.push_back({name, *type, location});
      }
    }
    return all;
  }

 private:
  using Globals = std::vector<std::pair<std::string, Dwarf_Die>>;

  struct Known {
    explicit Known(const std::string& path) : file(path) {}
    DebugFile file;
    std::vector<Unit> units;
    Scopes scopes;
    std::optional<Globals> globals;
  };

  const LoadedFile* module_at(uint64_t address) const {
    for (const LoadedFile& module : modules_) {
      if (address >= module.start && address < module.end) return &module;
    }
    return nullptr;
  }

  Known& known(const LoadedFile& module) {
    std::unique_ptr<Known>& entry = known_[module.path];
    if (!entry) {
      entry = std::make_unique<Known>(module.path);
      if (entry->file.dwarf() != nullptr) entry->units = all_units(entry->file.dwarf());
    }
    return *entry;
  }

  std::vector<Dwarf_Die> scopes_of(const LoadedFile& module, uint64_t address) {
    if (is_system_module(module.path) || is_runtime_module(module.path)) return {};
    for (Unit& unit : known(module).units) {
      if (dwarf_haspc(&unit.lines, address - module.base) <= 0) continue;
      return scopes_at(unit.root, address - module.base);
    }
    return {};
  }

  // Those that a file of the user's declares. Each module's are looked for once.
  const Globals& global_dies(const LoadedFile& module) {
    Known& all = known(module);
    if (all.globals) return *all.globals;
    all.globals.emplace();
    std::set<std::string> seen;
    for (const Unit& unit : all.units) {
      auto visit = [&](Dwarf_Die die, Dwarf_Die) {
        const int tag = dwarf_tag(&die);
        if (tag != DW_TAG_variable)
          return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
        const auto file = number(die, DW_AT_decl_file);
        const bool is_users = file && !is_system_file(file_in_table(unit.lines, *file));
        Dwarf_Attribute location;
        if (!is_users || dwarf_attr(&die, DW_AT_location, &location) == nullptr) return false;
        Dwarf_Op* ops = nullptr;
        size_t count = 0;
        const bool fixed = dwarf_getlocation(&location, &ops, &count) == 0 && is_fixed(ops, count);
        const std::string name = fixed ? all.scopes.qualified_name(die) : "";
        if (!name.empty() && all.globals->size() < kMostGlobals && seen.insert(name).second) {
          all.globals->emplace_back(name, die);
        }
        return false;
      };
      visit_below(unit.root, visit);
    }
    return *all.globals;
  }

  std::vector<LoadedFile> modules_;
  std::map<std::string, std::unique_ptr<Known>> known_;
};

namespace {

ShownVariable shown(const Found& found, const ReadMemory& memory) {
  const std::string value =
      found.location ? value_text({*found.location, found.type}, memory) : kGone;
  return {found.name, type_name(found.type), value};
}

// Follows the way that a watch expression describes.
class Watcher {
 public:
  Watcher(const std::vector<Found>& variables, const ReadMemory& memory)
      : variables_(variables), memory_(memory) {}

  ShownVariable show(const std::string& expression) {
    const auto watch = parse_watch(expression);
    if (!watch) return {expression, "", "<this is no variable, field or element>"};
    auto place = variable(watch->variable);
    for (const WatchStep& step : watch->steps) {
      if (place) place = follow(*place, step);
    }
    for (int i = 0; i < watch->dereferences && place; ++i) place = pointee(*place, memory_);
    if (!place) return {expression, "", why_};
    return {expression, type_name(place->type), value_text(*place, memory_)};
  }

 private:
  std::optional<TypedPlace> variable(const std::string& name) {
    for (const Found& found : variables_) {
      const bool same = found.name == name || found.name.ends_with("::" + name);
      if (!same) continue;
      if (found.location) return TypedPlace{*found.location, found.type};
      why_ = kGone;
      return std::nullopt;
    }
    why_ = "<there is no variable " + name + " here>";
    return std::nullopt;
  }

  std::optional<TypedPlace> follow(const TypedPlace& from, const WatchStep& step) {
    why_ = "<it has no such part>";
    if (step.kind == WatchStep::Kind::Member) return member(from, step.name);
    if (step.kind == WatchStep::Kind::PointerMember) {
      const auto there = pointee(from, memory_);
      return there ? member(*there, step.name) : std::nullopt;
    }
    std::optional<uint64_t> place = step.place;
    if (!place) {
      const auto index = variable(step.name);
      place = index ? scalar(*index, memory_) : std::nullopt;
    }
    return place ? element(from, *place, memory_) : std::nullopt;
  }

  const std::vector<Found>& variables_;
  const ReadMemory& memory_;
  std::string why_;
};

}  // namespace

Variables::Variables(std::vector<LoadedFile> modules)
    : impl_(std::make_unique<Impl>(std::move(modules))) {}
Variables::~Variables() = default;

bool Variables::knows(const FrameState& frame) { return impl_->knows(frame); }

std::vector<ShownVariable> Variables::locals(const FrameState& frame, const ReadMemory& memory) {
  std::vector<ShownVariable> all;
  for (const Found& found : impl_->locals(frame, memory)) all.push_back(shown(found, memory));
  return all;
}

std::vector<ShownVariable> Variables::globals(const FrameState* frame, const ReadMemory& memory) {
  std::vector<ShownVariable> all;
  for (const Found& found : impl_->globals(frame, memory)) all.push_back(shown(found, memory));
  return all;
}

ShownVariable Variables::evaluate(const std::string& expression, const FrameState* frame,
                                  const ReadMemory& memory) {
  std::vector<Found> all;
  if (frame != nullptr) all = impl_->locals(*frame, memory);
  for (Found& found : impl_->globals(frame, memory)) all.push_back(std::move(found));
  return Watcher(all, memory).show(expression);
}

}  // namespace mazurka
