#include "source/function_index.h"

#include <utility>

namespace mazurka {

std::vector<FunctionCode> FunctionIndex::all() {
  functions_.clear();
  for (const Unit& unit : all_units(file_.dwarf())) walk(unit.root, -1, unit, 0);
  return std::move(functions_);
}

void FunctionIndex::walk(Dwarf_Die die, int around, const Unit& unit, int depth) {
  if (depth > kMaxDieDepth) return;
  visit_children(die, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
      // A function that is defined inside another, in a local class, is not called there.
      const int place = add(child, tag == DW_TAG_subprogram ? -1 : around, unit);
      walk(child, place, unit, depth + 1);
    } else if (dwarf_haschildren(&child) > 0) {
      walk(child, around, unit, depth + 1);
    }
    return true;
  });
}

// Declarations have no code, but what is defined inside them may have.
int FunctionIndex::add(Dwarf_Die function, int around, const Unit& unit) {
  FunctionCode code;
  Dwarf_Addr base = 0;
  Dwarf_Addr start = 0;
  Dwarf_Addr end = 0;
  ptrdiff_t at = 0;
  while ((at = dwarf_ranges(&function, at, &base, &start, &end)) > 0) {
    if (start < end && file_.is_code(start)) code.ranges.emplace_back(start, end);
  }
  if (code.ranges.empty()) return around;
  const Name& name = name_of(function, unit);
  code.name = name.function;
  code.class_name = name.class_name;
  code.file = name.file;
  code.around = around;
  code.entry = code.ranges.front().first;
  Dwarf_Addr entry = 0;
  if (dwarf_entrypc(&function, &entry) == 0 && file_.is_code(entry)) code.entry = entry;
  functions_.push_back(std::move(code));
  return static_cast<int>(functions_.size()) - 1;
}

const FunctionIndex::Name& FunctionIndex::name_of(Dwarf_Die function, const Unit& unit) {
  const Dwarf_Die declared = declaration(function);
  const auto [entry, is_new] = names_.try_emplace(declared.addr);
  Name& name = entry->second;
  if (!is_new) return name;
  name.function = scopes_.qualified_name(declared);
  name.class_name = scopes_.class_around(declared);
  if (const auto file = number(function, DW_AT_decl_file))
    name.file = file_in_table(unit.lines, *file);
  return name;
}

}  // namespace mazurka
