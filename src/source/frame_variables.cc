#include "source/frame_variables.h"

#include <dwarf.h>

#include <algorithm>
#include <set>

#include "source/names.h"

namespace mazurka {
namespace {

bool is_users(Dwarf_Die die, Dwarf_Die lines) {
  const auto file = number(die, DW_AT_decl_file);
  return !file || !is_system_file(file_in_table(lines, *file));
}

std::string own_or_declared_name(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(&die, DW_AT_name, &attribute) == nullptr) return "";
  const char* name = dwarf_formstring(&attribute);
  return name == nullptr ? "" : name;
}

int line_at(Dwarf_Die unit, uint64_t address) {
  Dwarf_Line* line = dwarf_getsrc_die(&unit, address);
  int number = 0;
  return line != nullptr && dwarf_lineno(line, &number) == 0 ? number : 0;
}

// A block or function around the address, with the line at which it goes on.
struct Scope {
  Dwarf_Die die;
  int line;
  bool is_users;
};

bool holds_code(int tag) {
  return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
         tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

// From the function inwards. libdw's dwarf_getscopes leads out of an inlined function to where that
// is declared, not to who calls it.
std::vector<Scope> scopes_at(Dwarf_Die function, Dwarf_Die lines, uint64_t address) {
  std::vector<Scope> scopes = {{function, 0, is_users(function, lines)}};
  for (bool found = true; found && scopes.size() < kMaxDieDepth;) {
    found = false;
    visit_children(scopes.back().die, [&](Dwarf_Die child) {
      if (!holds_code(dwarf_tag(&child)) || dwarf_haspc(&child, address) <= 0) return true;
      const bool is_call = dwarf_tag(&child) == DW_TAG_inlined_subroutine;
      if (is_call) {
        const int line = static_cast<int>(number(child, DW_AT_call_line).value_or(0));
        for (size_t i = scopes.size(); i-- > 0 && scopes[i].line == 0;) scopes[i].line = line;
      }
      scopes.push_back({child, 0, is_call ? is_users(child, lines) : scopes.back().is_users});
      found = true;
      return false;
    });
  }
  const int line = line_at(lines, address);
  for (Scope& scope : scopes) {
    if (scope.line == 0) scope.line = line;
  }
  return scopes;
}

bool is_made_by_now(Dwarf_Die variable, int line) {
  if (dwarf_tag(&variable) != DW_TAG_variable || line == 0) return true;
  return number(variable, DW_AT_decl_line).value_or(0) <= static_cast<uint64_t>(line);
}

void list_functions(NamedModule& module) {
  module.has_functions = true;
  for (size_t unit = 0; unit < module.units.size(); ++unit) {
    auto visit = [&](Dwarf_Die die, Dwarf_Die) {
      const int tag = dwarf_tag(&die);
      if (tag != DW_TAG_subprogram) return tag == DW_TAG_namespace || is_class(tag);
      Dwarf_Addr base = 0;
      Dwarf_Addr begin = 0;
      Dwarf_Addr end = 0;
      for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;) {
        if (begin < end && module.file.is_code(begin))
          module.functions.push_back({begin, end, unit, die});
      }
      return true;  // a local class has functions of its own
    };
    visit_below(module.units[unit].root, visit);
  }
  std::sort(module.functions.begin(), module.functions.end(),
            [](const auto& a, const auto& b) { return a.begin < b.begin; });
}

}  // namespace

NamedModule::NamedModule(const std::string& path) : file(path) {
  if (file.dwarf() != nullptr) units = all_units(file.dwarf());
}

const LoadedFile* FrameVariables::module_at(uint64_t address) const {
  for (const LoadedFile& module : modules_) {
    if (address >= module.start && address < module.end) return &module;
  }
  return nullptr;
}

NamedModule& FrameVariables::known(const LoadedFile& module) {
  std::unique_ptr<NamedModule>& entry = known_[module.path];
  if (!entry) entry = std::make_unique<NamedModule>(module.path);
  return *entry;
}

const NamedModule::Code* FrameVariables::function_at(NamedModule& module, uint64_t address) {
  if (!module.has_functions) list_functions(module);
  const auto after =
      std::upper_bound(module.functions.begin(), module.functions.end(), address,
                       [](uint64_t value, const auto& code) { return value < code.begin; });
  for (auto at = after; at != module.functions.begin();) {
    --at;
    if (address < at->end) return &*at;
  }
  return nullptr;
}

std::vector<FrameVariable> FrameVariables::of(const FrameState& frame, const ReadMemory& memory) {
  std::vector<FrameVariable> all;
  const LoadedFile* loaded = module_at(frame.pc - 1);
  if (loaded == nullptr || is_system_module(loaded->path)) return all;
  NamedModule& module = known(*loaded);
  const uint64_t address = frame.pc - 1 - loaded->base;
  const NamedModule::Code* code = function_at(module, address);
  if (code == nullptr) return all;
  const std::vector<Scope> scopes =
      scopes_at(code->function, module.units[code->unit].lines, address);
  const LocationContext context{&frame, address, loaded->base, &memory, code->function};
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    if (!scope->is_users) continue;
    visit_children(scope->die, [&](Dwarf_Die die) {
      const int tag = dwarf_tag(&die);
      if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) return true;
      const std::string name = own_or_declared_name(die);
      const auto type = name.empty() ? std::nullopt : reference(die, DW_AT_type);
      if (!type || !is_made_by_now(die, scope->line)) return true;
      if (const auto location = location_of(die, context))
        all.push_back({name, *type, *location, &module});
      return true;
    });
  }
  return all;
}

std::vector<FrameCall> FrameVariables::calls(const FrameState& frame, const ReadMemory& memory) {
  std::vector<FrameCall> all;
  const LoadedFile* loaded = module_at(frame.pc - 1);
  if (loaded == nullptr || is_system_module(loaded->path) || is_runtime_module(loaded->path))
    return all;
  NamedModule& module = known(*loaded);
  const uint64_t address = frame.pc - 1 - loaded->base;
  const NamedModule::Code* code = function_at(module, address);
  if (code == nullptr) return all;
  const std::vector<Scope> scopes =
      scopes_at(code->function, module.units[code->unit].lines, address);
  const LocationContext context{&frame, address, loaded->base, &memory, code->function};
  std::set<std::string> seen;
  FrameCall call;
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    visit_children(scope->die, [&](Dwarf_Die die) {
      const int tag = dwarf_tag(&die);
      if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) return true;
      const std::string name = own_or_declared_name(die);
      const auto type = name.empty() ? std::nullopt : reference(die, DW_AT_type);
      if (type && is_made_by_now(die, scope->line) && seen.insert(name).second)
        call.variables.push_back({name, *type, location_of(die, context)});
      return true;
    });
    Dwarf_Die die = scope->die;
    const int tag = dwarf_tag(&die);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
    call.function = module.scopes.qualified_name(declaration(scope->die));
    call.is_users = scope->is_users;
    all.push_back(std::move(call));
    call = {};
    seen.clear();
  }
  return all;
}

std::vector<FrameVariable> FrameVariables::globals(const ReadMemory& memory) {
  std::vector<FrameVariable> all;
  std::set<std::string> seen;
  for (const LoadedFile& loaded : modules_) {
    if (is_system_module(loaded.path) || !seen.insert(loaded.path).second) continue;
    NamedModule& module = known(loaded);
    const LocationContext context{nullptr, 0, loaded.base, &memory, std::nullopt};
    for (const Unit& unit : module.units) {
      auto visit = [&](Dwarf_Die die, Dwarf_Die) {
        const int tag = dwarf_tag(&die);
        if (tag != DW_TAG_variable)
          return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
        Dwarf_Attribute attribute;
        if (dwarf_attr(&die, DW_AT_location, &attribute) == nullptr || !is_users(die, unit.lines))
          return false;
        Dwarf_Op* ops = nullptr;
        size_t count = 0;
        const bool is_fixed = dwarf_getlocation(&attribute, &ops, &count) == 0 && count == 1 &&
                              (ops[0].atom == DW_OP_addr || ops[0].atom == DW_OP_addrx);
        const auto type = is_fixed ? reference(die, DW_AT_type) : std::nullopt;
        const auto location = type ? location_of(die, context) : std::nullopt;
        const std::string name = location ? module.scopes.qualified_name(die) : "";
        if (!name.empty()) all.push_back({name, *type, *location, &module});
        return false;
      };
      visit_below(unit.root, visit);
    }
  }
  return all;
}

}  // namespace mazurka
