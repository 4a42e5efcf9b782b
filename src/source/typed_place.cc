// Types of values, and the way to their parts: of value_text.h, what needs no text.
#include <dwarf.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "source/dies.h"
#include "source/value_text.h"

namespace mazurka {
namespace {

constexpr int kDeepestBase = 20;

std::string name_of_target(Dwarf_Die type, const char* suffix) {
  const auto target = reference(type, DW_AT_type);
  return (target ? type_name(*target) : "void") + suffix;
}

// An array of arrays is one type in DWARF, with several dimensions. One whose length is not known
// has 0.
std::vector<uint64_t> dimensions_of(Dwarf_Die array) {
  std::vector<uint64_t> lengths;
  visit_children(array, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) return true;
    const auto last = number(child, DW_AT_upper_bound);
    lengths.push_back(last ? *last + 1 : number(child, DW_AT_count).value_or(0));
    return true;
  });
  return lengths;
}

// DWARF 5 has the bits counted from the beginning of the structure; older ones from the most
// significant of a unit.
std::optional<Location> bit_field(Dwarf_Die member, uint64_t structure, uint64_t unit_bytes) {
  const uint64_t size = number(member, DW_AT_bit_size).value_or(0);
  if (size == 0 || size > 64) return std::nullopt;
  uint64_t offset = 8 * number(member, DW_AT_data_member_location).value_or(0);
  if (const auto bits = number(member, DW_AT_data_bit_offset)) {
    offset = *bits;
  } else if (const auto from_top = number(member, DW_AT_bit_offset)) {
    offset += 8 * unit_bytes - *from_top - size;
  }
  return Location{structure + offset / 8, 0, static_cast<uint32_t>(offset % 8),
                  static_cast<uint32_t>(size)};
}

// Of the array's element after all indices but the first `given` ones and one more.
std::optional<uint64_t> element_size(Dwarf_Die item, const std::vector<uint64_t>& lengths,
                                     uint32_t given) {
  auto size = byte_size(item);
  for (size_t i = given + 1; size && i < lengths.size(); ++i) *size *= lengths[i];
  return size;
}

std::optional<TypedPlace> member_of(const TypedPlace& value, const std::string& name, int depth) {
  const auto type = plain_type(value.type);
  if (!type || depth > kDeepestBase || !value.location.address) return std::nullopt;
  std::optional<TypedPlace> found;
  visit_children(*type, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return true;
    const auto part_type = reference(child, DW_AT_type);
    if (!part_type) return true;
    const uint64_t offset = number(child, DW_AT_data_member_location).value_or(0);
    TypedPlace part = {Location{.address = *value.location.address + offset},
                       type_definition(*part_type)};
    if (dwarf_hasattr(&child, DW_AT_bit_size)) {
      const auto bits =
          bit_field(child, *value.location.address, byte_size(*part_type).value_or(0));
      if (!bits) return true;
      part.location = *bits;
    }
    const std::string own(die_name(child));
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
      return name_of_target(type, dimensions_of(type).size() > 1 ? "[][]" : "[]");
    case DW_TAG_subroutine_type:
      return "function";
    default:
      return std::string(die_name(type));
  }
}

std::string short_type(std::string name) {
  const auto replace_all = [&name](std::string_view what, std::string_view by) {
    for (size_t at = 0; (at = name.find(what, at)) != std::string::npos; at += by.size())
      name.replace(at, what.size(), by);
  };
  // Arguments that are there by default come last.
  for (const char* argument :
       {"std::allocator<", "std::less<", "std::hash<", "std::equal_to<", "std::char_traits<",
        "std::default_delete<", "std::deque<", "std::vector<"}) {
    const std::string start = std::string(", ") + argument;
    for (size_t at = 0; (at = name.find(start, at)) != std::string::npos;) {
      // Only of adaptors is a container a default.
      const bool is_container = start.ends_with("deque<") || start.ends_with("vector<");
      const size_t opened = name.rfind('<', at);
      const std::string_view before =
          opened == std::string::npos ? "" : std::string_view(name).substr(0, opened);
      const bool is_default =
          !is_container || before.ends_with("queue") || before.ends_with("stack");
      size_t end = at + start.size();
      for (int depth = 1; end < name.size() && depth > 0; ++end)
        depth += name[end] == '<' ? 1 : name[end] == '>' ? -1 : 0;
      if (is_default) {
        name.erase(at, end - at);
      } else {
        at = end;
      }
    }
  }
  replace_all("std::__cxx11::", "std::");
  replace_all(" >", ">");
  replace_all("basic_string<char>", "string");
  replace_all("basic_string_view<char>", "string_view");
  return name;
}

std::optional<TypedPlace> member(const TypedPlace& value, const std::string& name) {
  return member_of(value, name, 0);
}

std::optional<uint64_t> raw_value(const Location& location, uint64_t bytes,
                                  const ReadMemory& memory) {
  uint64_t raw = 0;
  if (location.bit_size != 0) bytes = (location.bit_offset + location.bit_size + 7) / 8;
  if (bytes == 0 || bytes > sizeof raw) return std::nullopt;
  if (!location.address) {
    std::memcpy(&raw, &location.value, bytes);
  } else if (!memory(*location.address, &raw, bytes)) {
    return std::nullopt;
  }
  if (location.bit_size == 0) return raw;
  raw >>= location.bit_offset;
  return location.bit_size < 64 ? raw & ((uint64_t{1} << location.bit_size) - 1) : raw;
}

std::optional<uint64_t> scalar(const TypedPlace& value, const ReadMemory& memory) {
  const auto type = plain_type(value.type);
  const auto size = type ? byte_size(*type) : std::nullopt;
  return size ? raw_value(value.location, *size, memory) : std::nullopt;
}

std::optional<TypedPlace> pointee(const TypedPlace& value, const ReadMemory& memory) {
  const auto type = plain_type(value.type);
  if (!type) return std::nullopt;
  Dwarf_Die die = *type;
  const int tag = dwarf_tag(&die);
  if (tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type &&
      tag != DW_TAG_rvalue_reference_type) {
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
  return TypedPlace{Location{.address = address}, *target};
}

std::optional<TypedPlace> element(const TypedPlace& value, uint64_t place,
                                  const ReadMemory& memory) {
  const auto type = plain_type(value.type);
  if (!type) return std::nullopt;
  Dwarf_Die die = *type;
  if (dwarf_tag(&die) == DW_TAG_pointer_type) {
    const auto first = pointee(value, memory);
    const auto size = first ? byte_size(first->type) : std::nullopt;
    if (!size) return std::nullopt;
    return TypedPlace{Location{.address = *first->location.address + place * *size}, first->type};
  }
  if (dwarf_tag(&die) != DW_TAG_array_type || !value.location.address) return std::nullopt;
  const auto item = reference(die, DW_AT_type);
  const std::vector<uint64_t> lengths = dimensions_of(die);
  const auto size = item ? element_size(*item, lengths, value.dimension) : std::nullopt;
  if (!size) return std::nullopt;
  const Location location{.address = *value.location.address + place * *size};
  if (value.dimension + 1 < lengths.size())
    return TypedPlace{location, value.type, value.dimension + 1};
  return TypedPlace{location, *item};
}

uint64_t array_length(const TypedPlace& value) {
  const auto type = plain_type(value.type);
  const std::vector<uint64_t> lengths = type ? dimensions_of(*type) : std::vector<uint64_t>();
  return value.dimension < lengths.size() ? lengths[value.dimension] : 0;
}

}  // namespace mazurka
