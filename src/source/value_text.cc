#include "source/value_text.h"

#include <dwarf.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <sstream>

#include "source/dies.h"
#include "source/names.h"
#include "source/values/library_values.h"

namespace mazurka {
namespace {

constexpr int kDeepest = 3;
constexpr int kDeepestFields = 20;
constexpr size_t kMostFields = 500;
constexpr uint64_t kMostElements = 16;
constexpr size_t kLongest = 300;
constexpr char kUnreadable[] = "<cannot be read>";

// The bytes of the value, as far as it is no larger than `most`.
bool read_bytes(const Location& location, size_t size, const ReadMemory& memory, void* out) {
  if (location.address) return memory(*location.address, out, size);
  if (size > sizeof location.value) return false;
  std::memcpy(out, &location.value, size);
  return true;
}

template <typename T>
std::optional<T> read_as(const Location& location, const ReadMemory& memory) {
  T value{};
  if (!read_bytes(location, sizeof value, memory, &value)) return std::nullopt;
  return value;
}

std::string text_at(uint64_t address, const ReadMemory& memory) {
  std::string text;
  for (char c = 0; text.size() < kMostText && memory(address + text.size(), &c, 1) && c != 0;)
    text += c;
  return text;
}

int64_t extended(uint64_t raw, uint64_t bits) {
  if (bits >= 64 || bits == 0) return static_cast<int64_t>(raw);
  const int shift = static_cast<int>(64 - bits);
  return static_cast<int64_t>(raw << shift) >> shift;
}

uint64_t bits_of(const Location& location, uint64_t bytes) {
  return location.bit_size != 0 ? location.bit_size : 8 * bytes;
}

// Those of its bases first. `hides`: it has others, which are the library's own and say nothing.
void add_fields(const TypedPlace& value, bool& hides, int depth, std::vector<NamedPlace>& out) {
  if (depth > kDeepestFields || !value.location.address) return;
  visit_children(value.type, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_inheritance) {
      const auto base = reference(child, DW_AT_type);
      const auto offset = number(child, DW_AT_data_member_location);
      if (!base || !offset) return true;  // a virtual base is where only the object knows
      add_fields({Location{.address = *value.location.address + *offset}, type_definition(*base)},
                 hides, depth + 1, out);
      return true;
    }
    if (tag != DW_TAG_member || has_flag(child, DW_AT_external) ||
        has_flag(child, DW_AT_declaration))
      return true;
    const std::string field(die_name(child));
    if (field.empty() || is_reserved_identifier(field) || field.starts_with("_M_") ||
        field.starts_with("_vptr")) {
      hides = true;
      return true;
    }
    if (const auto part = member(value, field)) out.push_back({field, *part});
    return out.size() < kMostFields;
  });
}

std::vector<NamedPlace> fields(const TypedPlace& value, bool& hides) {
  std::vector<NamedPlace> all;
  add_fields(value, hides, 0, all);
  return all;
}

class Writer {
 public:
  explicit Writer(const ReadMemory& memory) : memory_(memory) {}

  std::string text(const TypedPlace& value, int depth) {
    const auto type = plain_type(value.type);
    if (!type) return "?";
    Dwarf_Die die = *type;
    switch (dwarf_tag(&die)) {
      case DW_TAG_base_type:
        return base(value.location, die);
      case DW_TAG_enumeration_type:
        return enumerator(value.location, die);
      case DW_TAG_pointer_type:
        return pointer(value, depth);
      case DW_TAG_reference_type:
      case DW_TAG_rvalue_reference_type:
        if (const auto there = pointee(value, memory_)) return text(*there, depth + 1);
        return kUnreadable;
      case DW_TAG_array_type:
        return array(value, depth);
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type:
        return structure({value.location, die}, depth);
      default:
        return "?";
    }
  }

 private:
  std::string base(const Location& location, Dwarf_Die type) {
    const uint64_t size = byte_size(type).value_or(0);
    const uint64_t encoding = number(type, DW_AT_encoding).value_or(0);
    if (encoding == DW_ATE_float) return floating(location, size);
    const auto read = raw_value(location, size, memory_);
    if (!read) return kUnreadable;
    const uint64_t raw = *read;
    const int64_t as_signed = extended(raw, bits_of(location, size));
    if (encoding == DW_ATE_boolean) return raw == 0 ? "false" : "true";
    if (encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char) {
      const bool is_signed = encoding == DW_ATE_signed_char;
      const std::string digits = std::to_string(is_signed ? as_signed : static_cast<int64_t>(raw));
      return raw >= 32 && raw < 127 ? digits + " '" + static_cast<char>(raw) + "'" : digits;
    }
    return encoding == DW_ATE_signed ? std::to_string(as_signed) : std::to_string(raw);
  }

  std::string floating(const Location& location, uint64_t size) {
    std::ostringstream out;
    out.precision(std::numeric_limits<double>::digits10);
    if (size == sizeof(float)) {
      const auto value = read_as<float>(location, memory_);
      if (!value) return kUnreadable;
      out << *value;
    } else if (size == sizeof(double)) {
      const auto value = read_as<double>(location, memory_);
      if (!value) return kUnreadable;
      out << *value;
    } else {
      const auto value = read_as<long double>(location, memory_);
      if (!value) return kUnreadable;
      out << static_cast<double>(*value);
    }
    return out.str();
  }

  std::string enumerator(const Location& location, Dwarf_Die type) {
    const uint64_t size = byte_size(type).value_or(4);
    const auto raw = raw_value(location, size, memory_);
    if (!raw) return kUnreadable;
    // One with no negative enumerator may need all the bits of its field.
    const int64_t as_signed = extended(*raw, bits_of(location, size));
    std::string found = std::to_string(as_signed);
    visit_children(type, [&](Dwarf_Die child) {
      Dwarf_Attribute attribute;
      Dwarf_Sword value = 0;
      if (dwarf_attr(&child, DW_AT_const_value, &attribute) != nullptr &&
          dwarf_formsdata(&attribute, &value) == 0 &&
          (value == as_signed || value == static_cast<Dwarf_Sword>(*raw))) {
        found = die_name(child);
        return false;
      }
      return true;
    });
    return found;
  }

  std::string pointer(const TypedPlace& value, int depth) {
    const auto address = scalar(value, memory_);
    if (!address) return kUnreadable;
    if (*address == 0) return "null";
    const auto there = pointee(value, memory_);
    if (!there) return hex(*address);
    const auto type = plain_type(there->type);
    Dwarf_Die die = type ? *type : there->type;
    const bool is_char = type && dwarf_tag(&die) == DW_TAG_base_type && byte_size(die) == 1;
    if (is_char) {
      const std::string characters = text_at(*address, memory_);
      return hex(*address) + " " + quoted(characters, characters.size() >= kMostText);
    }
    if (depth > 0 || dwarf_tag(&die) == DW_TAG_subroutine_type) return hex(*address);
    return hex(*address) + " -> " + text(*there, depth + 2);
  }

  std::string array(const TypedPlace& value, int depth) {
    const auto first = element(value, 0, memory_);
    if (!first) return "{...}";
    const auto plain = plain_type(first->type);
    Dwarf_Die die = plain ? *plain : first->type;
    const uint64_t count = array_length(value);
    if (dwarf_tag(&die) == DW_TAG_base_type && byte_size(die) == 1 && first->location.address) {
      const std::string characters = text_at(*first->location.address, memory_).substr(0, count);
      return quoted(characters, characters.size() >= kMostText);
    }
    return list(
        count, [&](uint64_t i) { return element(value, i, memory_); }, depth);
  }

  template <typename F>
  std::string list(uint64_t count, F&& get, int depth) {
    if (depth >= kDeepest) return "{...}";
    std::string out = "{";
    for (uint64_t i = 0; i < count; ++i) {
      if (i > 0) out += ", ";
      const auto item = i < kMostElements && out.size() < kLongest ? get(i) : std::nullopt;
      if (!item) return out + "...}" + (count > kMostElements ? elements(count) : "");
      out += text(*item, depth + 1);
    }
    return out + "}";
  }

  static std::string elements(uint64_t count) {
    return " (" + std::to_string(count) + " elements)";
  }

  std::string map(const LibraryValue& value, int depth) {
    if (depth >= kDeepest) return "{...}";
    std::string out = "{";
    for (size_t i = 0; i + 1 < value.parts.size() && out.size() < kLongest; i += 2) {
      out += (i > 0 ? ", " : "") + text(value.parts[i], depth + 1) + ": " +
             text(value.parts[i + 1], depth + 1);
    }
    if (value.parts.size() / 2 < value.count) return out + ", ...}" + elements(value.count);
    return out + "}";
  }

  std::string library(const LibraryValue& value, int depth) {
    switch (value.shape) {
      case LibraryValue::Shape::Text:
        return value.text;
      case LibraryValue::Shape::Inner:
        return text(value.parts[0], depth);
      case LibraryValue::Shape::Pointer:
        return pointer(value.parts[0], depth) + value.text;
      case LibraryValue::Shape::Map:
        return map(value, depth);
      case LibraryValue::Shape::List:
        return list(
            value.count,
            [&](uint64_t i) {
              return i < value.parts.size() ? std::optional(value.parts[i]) : std::nullopt;
            },
            depth);
    }
    return "?";
  }

  std::string structure(const TypedPlace& value, int depth) {
    if (const auto known = library_value(value, memory_, kMostElements))
      return library(*known, depth);
    if (depth >= kDeepest) return "{...}";
    std::string out;
    bool hides = has_flag(value.type, DW_AT_declaration);
    for (const NamedPlace& field : fields(value, hides)) {
      out += (out.empty() ? "" : ", ") + field.name + " = " + text(field.place, depth + 1);
      if (out.size() >= kLongest) return "{" + out + ", ...}";
    }
    if (out.empty()) return hides ? "{...}" : "{}";
    return "{" + out + "}";
  }

  const ReadMemory& memory_;
};

// Of a map by the text of its keys.
std::vector<NamedPlace> library_parts(const LibraryValue& value, const ReadMemory& memory,
                                      size_t most) {
  std::vector<NamedPlace> all;
  switch (value.shape) {
    case LibraryValue::Shape::Text:
      break;
    case LibraryValue::Shape::Inner:
    case LibraryValue::Shape::Pointer:
      return parts_of(value.parts[0], memory, most);
    case LibraryValue::Shape::List:
      for (const TypedPlace& part : value.parts)
        all.push_back({"[" + std::to_string(all.size()) + "]", part});
      break;
    case LibraryValue::Shape::Map:
      for (size_t i = 0; i + 1 < value.parts.size(); i += 2)
        all.push_back({"[" + value_text(value.parts[i], memory) + "]", value.parts[i + 1]});
      break;
  }
  return all;
}

bool has_parts(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
         tag == DW_TAG_array_type;
}

std::vector<NamedPlace> pointed_parts(const TypedPlace& value, const ReadMemory& memory,
                                      size_t most) {
  const auto there = pointee(value, memory);
  const auto type = there ? plain_type(there->type) : std::nullopt;
  if (!type) return {};
  Dwarf_Die die = *type;
  char byte = 0;
  if (!has_parts(dwarf_tag(&die)) || !memory(*there->location.address, &byte, 1)) return {};
  return parts_of(*there, memory, most);
}

}  // namespace

std::vector<NamedPlace> parts_of(const TypedPlace& value, const ReadMemory& memory, size_t most) {
  const auto type = plain_type(value.type);
  if (!type) return {};
  Dwarf_Die die = *type;
  const int tag = dwarf_tag(&die);
  if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
      tag == DW_TAG_rvalue_reference_type)
    return pointed_parts(value, memory, most);
  if (!has_parts(tag)) return {};
  if (tag != DW_TAG_array_type) {
    const TypedPlace plain = {value.location, die};
    if (const auto known = library_value(plain, memory, most))
      return library_parts(*known, memory, most);
    bool hides = false;
    std::vector<NamedPlace> all = fields(plain, hides);
    if (all.size() > most) all.resize(most, all[0]);
    return all;
  }
  std::vector<NamedPlace> all;
  const uint64_t count = std::min<uint64_t>(array_length(value), most);
  for (uint64_t i = 0; i < count; ++i) {
    const auto part = element(value, i, memory);
    if (!part) break;
    const auto its_type = plain_type(part->type);
    Dwarf_Die item = its_type ? *its_type : part->type;
    // Text is shown as a whole.
    if (dwarf_tag(&item) == DW_TAG_base_type && byte_size(item) == 1) return {};
    all.push_back({"[" + std::to_string(i) + "]", *part});
  }
  return all;
}

std::string value_text(const TypedPlace& value, const ReadMemory& memory) {
  std::string text = Writer(memory).text(value, 0);
  return text.size() <= kLongest + 50 ? text : text.substr(0, kLongest) + "...";
}

}  // namespace mazurka
