#include "source/dies.h"

#include "source/names.h"

namespace mazurka {
namespace {

constexpr int kMaxChain = 16;

std::optional<Dwarf_Die> direct_reference(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute value;
  Dwarf_Die target;
  if (dwarf_attr(&die, attribute, &value) == nullptr) return std::nullopt;
  if (dwarf_formref_die(&value, &target) == nullptr) return std::nullopt;
  return target;
}

bool is_scope(int tag) {
  return is_class(tag) || tag == DW_TAG_namespace || tag == DW_TAG_subprogram;
}

bool has_call_operator(Dwarf_Die type) {
  bool found = false;
  visit_children(type, [&](Dwarf_Die member) {
    found = die_name(member) == "operator()";
    return !found;
  });
  return found;
}

// gcc calls a lambda's class "<lambda(int)>", clang gives it no name.
std::string own_name(Dwarf_Die die) {
  std::string_view name = die_name(die);
  if (!is_class(dwarf_tag(&die))) return std::string(name);
  if (name.empty()) name = die_name(type_definition(die));
  const bool lambda = name.empty() ? has_call_operator(die) : name.starts_with("<lambda");
  return std::string(lambda ? kLambda : name);
}

}  // namespace

std::string_view die_name(Dwarf_Die die) {
  const char* name = dwarf_diename(&die);
  return name == nullptr ? "" : name;
}

std::vector<Unit> all_units(Dwarf* dwarf) {
  std::vector<Unit> units;
  Dwarf_CU* cu = nullptr;
  Dwarf_Half version = 0;
  uint8_t type = 0;
  Dwarf_Die root;
  Dwarf_Die split;
  while (dwarf != nullptr && dwarf_get_units(dwarf, cu, &cu, &version, &type, &root, &split) == 0) {
    if (root.addr == nullptr) continue;
    const bool is_split = type == DW_UT_skeleton && split.addr != nullptr;
    units.push_back({root, is_split ? split : root});
  }
  return units;
}

bool is_class(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool has_flag(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute value;
  bool flag = false;
  return dwarf_attr(&die, attribute, &value) != nullptr && dwarf_formflag(&value, &flag) == 0 &&
         flag;
}

std::optional<uint64_t> number(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute value;
  Dwarf_Word word = 0;
  if (dwarf_attr_integrate(&die, attribute, &value) == nullptr) return std::nullopt;
  if (dwarf_formudata(&value, &word) != 0) return std::nullopt;
  return word;
}

std::optional<Dwarf_Die> reference(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute value;
  Dwarf_Die target;
  if (dwarf_attr_integrate(&die, attribute, &value) == nullptr) return std::nullopt;
  if (dwarf_formref_die(&value, &target) == nullptr) return std::nullopt;
  return target;
}

std::string file_in_table(Dwarf_Die unit_root, uint64_t index) {
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_getsrcfiles(&unit_root, &files, &count) != 0 || index >= count) return "";
  const char* path = dwarf_filesrc(files, index, nullptr, nullptr);
  if (path == nullptr) return "";
  Dwarf_Attribute value;
  const char* directory = nullptr;
  if (dwarf_attr(&unit_root, DW_AT_comp_dir, &value) != nullptr)
    directory = dwarf_formstring(&value);
  return absolute_path(path, directory == nullptr ? "" : directory);
}

Dwarf_Die type_definition(Dwarf_Die die) {
  return direct_reference(die, DW_AT_signature).value_or(die);
}

Dwarf_Die declaration(Dwarf_Die die) {
  for (int i = 0; i < kMaxChain; ++i) {
    std::optional<Dwarf_Die> next = direct_reference(die, DW_AT_abstract_origin);
    if (!next) next = direct_reference(die, DW_AT_specification);
    if (!next) break;
    die = *next;
  }
  return die;
}

std::string Scopes::qualified_name(Dwarf_Die die) { return name_within(die, 0).value_or(""); }

std::string Scopes::class_around(Dwarf_Die die) {
  std::optional<Dwarf_Die> scope = parent(declaration(die));
  return scope && is_class(dwarf_tag(&*scope)) ? qualified_name(*scope) : "";
}

std::optional<std::string> Scopes::name_within(Dwarf_Die die, int depth) {
  if (depth > kMaxDieDepth) return std::nullopt;
  Dwarf_Die declared = declaration(die);
  const std::string name = own_name(declared);
  if (name.empty() && dwarf_tag(&declared) == DW_TAG_subprogram) return std::nullopt;
  const std::optional<Dwarf_Die> scope = parent(declared);
  if (!scope) return name;
  std::optional<std::string> outer = name_within(*scope, depth + 1);
  // A lambda is its own call operator to whoever reads the program.
  if (!outer || (name == "operator()" && outer->ends_with(kLambda))) return outer;
  if (outer->empty()) return name;
  return name.empty() ? *outer : *outer + "::" + name;
}

std::optional<Dwarf_Die> Scopes::parent(Dwarf_Die die) {
  const Parents& parents = parents_in_unit(die);
  const auto it = parents.find(die.addr);
  if (it == parents.end()) return std::nullopt;
  return it->second;
}

const Scopes::Parents& Scopes::parents_in_unit(Dwarf_Die die) {
  Dwarf_Die root;
  if (dwarf_diecu(&die, &root, nullptr, nullptr) == nullptr) root = die;
  const auto [entry, is_new] = units_.try_emplace(root.addr);
  if (!is_new) return entry->second;
  Parents& parents = entry->second;
  // Blocks have no name, so what they contain belongs to the scope around them.
  auto visit = [&](Dwarf_Die child, Dwarf_Die around) {
    const auto outer = parents.find(around.addr);
    const bool named = is_scope(dwarf_tag(&around));
    if (named) {
      parents.emplace(child.addr, around);
    } else if (outer != parents.end()) {
      parents.emplace(child.addr, Dwarf_Die(outer->second));
    }
    return dwarf_haschildren(&child) > 0;
  };
  visit_below(root, visit);
  return parents;
}

}  // namespace mazurka
