// Debugging information entries (DIEs, DWARF 5 section 2): safe walks over them, and their
// qualified names. Everything here survives damaged input: walks only go forward, chains and depths
// are bounded.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mazurka {

// Deeper than any compiler nests scopes or types.
inline constexpr int kMaxDieDepth = 200;

struct Unit {
  Dwarf_Die lines;  // has the line table and the address ranges
  Dwarf_Die root;   // has the entries; another DIE than `lines` only under -gsplit-dwarf
};

// Compilation units, and the type units of -fdebug-types-section.
std::vector<Unit> all_units(Dwarf* dwarf);

// Calls visit(child) for each child until it returns false.
template <typename Visit>
void visit_children(Dwarf_Die parent, Visit visit) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  while (visit(child)) {
    Dwarf_Die next;
    // A damaged sibling reference may point backwards, which would never end.
    if (dwarf_siblingof(&child, &next) != 0 || next.addr <= child.addr) return;
    child = next;
  }
}

// Calls visit(die, parent) for everything below `root`; it returns whether to go below `die` too.
template <typename Visit>
void visit_below(Dwarf_Die root, Visit& visit, int depth = 0) {
  if (depth > kMaxDieDepth) return;
  visit_children(root, [&](Dwarf_Die die) {
    if (visit(die, root)) visit_below(die, visit, depth + 1);
    return true;
  });
}

// Its own DW_AT_name; empty if it has none.
std::string_view die_name(Dwarf_Die die);

bool is_class(int tag);

bool has_flag(Dwarf_Die die, unsigned attribute);

// These also look where DW_AT_abstract_origin and DW_AT_specification lead.
std::optional<uint64_t> number(Dwarf_Die die, unsigned attribute);
std::optional<Dwarf_Die> reference(Dwarf_Die die, unsigned attribute);

// The path that the unit's file table has at `index`, joined to the compilation directory.
std::string file_in_table(Dwarf_Die unit_root, uint64_t index);

// -fdebug-types-section leaves a class in its unit as a mere signature of the definition elsewhere.
Dwarf_Die type_definition(Dwarf_Die die);

// From where an entry is described (an inlined or out-of-line copy) to where it was declared.
Dwarf_Die declaration(Dwarf_Die die);

// Knows the scope around each entry, which DWARF itself does not store. Indexes a unit when first
// asked about it.
class Scopes {
 public:
  // "bank::Account::deposit", "main::{lambda}", "worker::lock" for a static local. Anonymous
  // namespaces and classes are left out. Empty if it has no name, or if the function around it has
  // none: clang 14 leaves such a husk around the static locals of a function that it inlined
  // everywhere.
  std::string qualified_name(Dwarf_Die die);
  // Of the class that it is a member of; empty if it is none.
  std::string class_around(Dwarf_Die die);

 private:
  using Parents = std::unordered_map<const void*, Dwarf_Die>;

  std::optional<std::string> name_within(Dwarf_Die die, int depth);
  std::optional<Dwarf_Die> parent(Dwarf_Die die);
  const Parents& parents_in_unit(Dwarf_Die die);

  std::unordered_map<const void*, Parents> units_;
};

}  // namespace mazurka
