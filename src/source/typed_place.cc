// Types of values, and the way to their parts: of value_text.h, what needs no text.
#include <dwarf.h>

#include <cstring>

#include "source/dies.h"
#include "source/value_text.h"

namespace mazurka {
namespace {

constexpr int kDeepestBase = 20;

std::string own_name(Dwarf_Die die) {
  const char* name = dwarf_diename(&die);
  return name == nullptr ? "" : name;
}

std::string name_of_target(Dwarf_Die type, const char* suffix) {
  const auto target = reference(type, DW_AT_type);
  return (target ? type_name(*target) : "void") + suffix;
}

// An array of arrays is one type in DWARF, with several dimensions.
bool has_one_dimension(Dwarf_Die array) {
  int seen = 0;
  visit_children(array, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) == DW_TAG_subrange_type) ++seen;
    return true;
  });
  return seen == 1;
}

std::optional<TypedPlace> member_of(const TypedPlace& value, const std::string& name, int depth) {
  const auto type = plain_type(value.type);
  if (!type || depth > kDeepestBase || !value.location.address) return std::nullopt;
  std::optional<TypedPlace> found;
  visit_children(*type, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return true;
    if (dwarf_hasattr(&child, DW_AT_data_bit_offset) || dwarf_hasattr(&child, DW_AT_bit_size)) return true;
    const auto part_type = reference(child, DW_AT_type);
    if (!part_type) return true;
    const uint64_t offset = number(child, DW_AT_data_member_location).value_or(0);
    const TypedPlace part = {Location{*value.location.address + offset, 0}, type_definition(*part_type)};
    const std::string own = own_name(child);
    if (tag == DW_TAG_member && own == name) {
      found = part;
    } else if (tag == DW_TAG_inheritance || own.empty()) {  // a base class, or an unnamed union
      found = member_of(part, name, depth + 1);
    }
    return !found;
  });
  return found;
}

}  // namespace

std::optional<Dwarf_Die> plain_type(Dwarf_Die die) {
  Dwarf_Die plain;
  if (dwarf_peel_type(&die, &plain) != 0) return std::nullopt;
  return type_definition(plain);
}

std::optional<uint64_t> byte_size(Dwarf_Die type) {
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(&type, &size) != 0) return std::nullopt;
  return size;
}

std::string type_name(Dwarf_Die type) {
  switch (dwarf_tag(&type)) {
    case DW_TAG_pointer_type:
      return name_of_target(type, " *");
    case DW_TAG_reference_type:
      return name_of_target(type, " &");
    case DW_TAG_rvalue_reference_type:
      return name_of_target(type, " &&");
    case DW_TAG_const_type:
      return "const " + name_of_target(type, "");
    case DW_TAG_volatile_type:
      return "volatile " + name_of_target(type, "");
    case DW_TAG_array_type:
      return name_of_target(type, "[]");
    case DW_TAG_subroutine_type:
      return "function";
    default:
      return own_name(type);
  }
}

std::optional<TypedPlace> member(const TypedPlace& value, const std::string& name) {
  return member_of(value, name, 0);
}

std::optional<uint64_t> scalar(const TypedPlace& value, const ReadMemory& memory) {
  const auto type = plain_type(value.type);
  const auto size = type ? byte_size(*type) : std::nullopt;
  uint64_t raw = 0;
  if (!size || *size == 0 || *size > sizeof raw) return std::nullopt;
  if (!value.location.address) {
    std::memcpy(&raw, &value.location.value, *size);
  } else if (!memory(*value.location.address, &raw, *size)) {
    return std::nullopt;
  }
  return raw;
}

std::optional<TypedPlace> pointee(const TypedPlace& value, const ReadMemory& memory) {
  const auto type = plain_type(value.type);
  if (!type) return std::nullopt;
  Dwarf_Die die = *type;
  const int tag = dwarf_tag(&die);
  if (tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type) {
    return std::nullopt;
  }
  const auto target = reference(die, DW_AT_type);
  uint64_t address = 0;
  if (value.location.address) {
    if (!memory(*value.location.address, &address, sizeof address)) return std::nullopt;
  } else {
    address = value.location.value;
  }
  if (!target || address == 0) return std::nullopt;
  return TypedPlace{Location{address, 0}, *target};
}

std::optional<TypedPlace> element(const TypedPlace& value, uint64_t place, const ReadMemory& memory) {
  const auto type = plain_type(value.type);
  if (!type) return std::nullopt;
  Dwarf_Die die = *type;
  if (dwarf_tag(&die) == DW_TAG_pointer_type) {
    const auto first = pointee(value, memory);
    const auto size = first ? byte_size(first->type) : std::nullopt;
    if (!size) return std::nullopt;
    return TypedPlace{Location{*first->location.address + place * *size, 0}, first->type};
  }
  if (dwarf_tag(&die) != DW_TAG_array_type || !value.location.address) return std::nullopt;
  if (!has_one_dimension(die)) return std::nullopt;
  const auto item = reference(die, DW_AT_type);
  const auto size = item ? byte_size(*item) : std::nullopt;
  if (!size) return std::nullopt;
  return TypedPlace{Location{*value.location.address + place * *size, 0}, *item};
}

}  // namespace mazurka
