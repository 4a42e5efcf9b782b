#include "source/data_index.h"

#include <algorithm>
#include <iterator>

#include "source/names.h"
#include "source/value_text.h"

namespace mazurka {
namespace {

// An address given directly, or as an index into .debug_addr (clang, and -gsplit-dwarf).
std::optional<uint64_t> address_operand(Dwarf_Attribute* location, const Dwarf_Op& op) {
  if (op.atom == DW_OP_addr) return op.number;
  if (op.atom != DW_OP_addrx && op.atom != DW_OP_GNU_addr_index) return std::nullopt;
  Dwarf_Attribute value;
  Dwarf_Addr address = 0;
  if (dwarf_getlocation_attr(location, &op, &value) != 0) return std::nullopt;
  if (dwarf_formaddr(&value, &address) != 0) return std::nullopt;
  return address;
}

}  // namespace

DataIndex::DataIndex(const DebugFile& file, const SymbolTable& symbols, Scopes& scopes)
    : file_(file), symbols_(symbols), scopes_(scopes), types_(file, scopes) {
  for (const Unit& unit : all_units(file.dwarf())) {
    auto visit = [&](Dwarf_Die die, Dwarf_Die) {
      if (dwarf_tag(&die) == DW_TAG_variable) add(die, unit.lines);
      return dwarf_haschildren(&die) > 0;
    };
    visit_below(unit.root, visit);
  }
  std::stable_sort(spans_.begin(), spans_.end(),
                   [](const Span& a, const Span& b) { return a.start < b.start; });
}

void DataIndex::add(Dwarf_Die variable, Dwarf_Die lines) {
  Dwarf_Attribute location;
  Dwarf_Op* ops = nullptr;
  size_t count = 0;
  if (dwarf_attr(&variable, DW_AT_location, &location) == nullptr) return;
  if (dwarf_getlocation(&location, &ops, &count) != 0) return;
  uint64_t address = 0;  // 0: none yet; nothing is ever loaded there
  uint64_t offset = 0;
  for (size_t i = 0; i < count; ++i) {
    const Dwarf_Op& op = ops[i];
    if (op.atom == DW_OP_piece) {
      if (file_.is_loaded(address)) spans_.push_back({address, op.number, offset, variable, lines});
      offset += op.number;
      address = 0;
    } else if (op.atom == DW_OP_plus_uconst && address != 0) {
      address += op.number;
    } else if (const auto operand = address_operand(&location, op); operand && address == 0) {
      address = *operand;
    } else {
      return;  // computed at run time: a register, the stack, thread-local storage
    }
  }
  if (!file_.is_loaded(address)) return;
  spans_.push_back({address, whole_size(variable, address), 0, variable, lines});
}

uint64_t DataIndex::whole_size(Dwarf_Die variable, uint64_t address) {
  const auto type = reference(variable, DW_AT_type);
  const auto size = type ? types_.size_of(*type) : std::nullopt;
  if (size && *size != 0) return *size;
  const Symbol* symbol = symbols_.object_at(address);
  return symbol != nullptr ? symbol->address + symbol->size - address : 1;
}

std::optional<std::string> DataIndex::name(uint64_t address) {
  auto it = std::upper_bound(spans_.begin(), spans_.end(), address,
                             [](uint64_t wanted, const Span& span) { return wanted < span.start; });
  if (it == spans_.begin()) return std::nullopt;
  const uint64_t start = std::prev(it)->start;
  // Of several descriptions of one variable, the first that reaches this far.
  while (it != spans_.begin() && std::prev(it)->start == start) --it;
  while (it != spans_.end() && it->start == start && address - start >= it->size) ++it;
  if (it == spans_.end() || it->start != start) return std::nullopt;
  const std::string variable = variable_name(*it);
  const auto type = reference(it->variable, DW_AT_type);
  if (variable.empty() || !type) return std::nullopt;
  return variable + types_.path(*type, it->offset + (address - start));
}

std::vector<StaticVariable> DataIndex::all() {
  std::vector<StaticVariable> variables;
  for (const Span& span : spans_) {
    StaticVariable& variable = variables.emplace_back();
    variable.name = variable_name(span);
    if (const auto type = reference(span.variable, DW_AT_type)) variable.type = type_name(*type);
    if (const auto file = number(span.variable, DW_AT_decl_file))
      variable.file = file_in_table(span.lines, *file);
    variable.address = span.start;
    variable.size = span.size;
  }
  return variables;
}

std::string DataIndex::variable_name(const Span& span) {
  std::string name = scopes_.qualified_name(span.variable);
  const Symbol* symbol = name.empty() ? symbols_.object_at(span.start) : nullptr;
  if (symbol != nullptr) name = object_name(symbol->name);
  return name;
}

}  // namespace mazurka
