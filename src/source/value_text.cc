#include "source/value_text.h"

#include <dwarf.h>

#include <cstring>
#include <limits>
#include <sstream>

#include "source/dies.h"
#include "source/names.h"

namespace mazurka {
namespace {

constexpr int kDeepest = 3;
constexpr uint64_t kMostElements = 16;
constexpr size_t kLongest = 300;
constexpr size_t kMostText = 60;
constexpr char kUnreadable[] = "<cannot be read>";

bool has_prefix(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

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

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 32 || c == '"' || c == '\\') {
      out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string("?");
    } else {
      out += c;
    }
  }
  return out + (text.size() >= kMostText ? "\"..." : "\"");
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
    if (is_char) return hex(*address) + " " + quoted(text_at(*address, memory_));
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
      return quoted(text_at(*first->location.address, memory_).substr(0, count));
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
      if (!item) return out + "...}";
      out += text(*item, depth + 1);
    }
    return out + "}";
  }

  // A class of the standard library, as a person thinks of it. Empty for others.
  std::string library_value(const TypedPlace& value, const std::string& name, int depth) {
    if (has_prefix(name, "basic_string<char")) {
      const auto data = member(value, "_M_dataplus");
      const auto start = data ? member(*data, "_M_p") : std::nullopt;
      const auto address = start ? scalar(*start, memory_) : std::nullopt;
      return address ? quoted(text_at(*address, memory_)) : "";
    }
    for (const char* inner : {"_M_i", "_M_elems"}) {
      if (!has_prefix(name, "atomic<") && !has_prefix(name, "array<") &&
          !has_prefix(name, "__atomic_"))
        break;
      if (const auto part = member(value, inner)) return text(*part, depth);
    }
    return has_prefix(name, "vector<") ? vector_value(value, depth) : "";
  }

  std::string vector_value(const TypedPlace& value, int depth) {
    const auto parts = member(value, "_M_impl");
    const auto begin = parts ? member(*parts, "_M_start") : std::nullopt;
    const auto end = parts ? member(*parts, "_M_finish") : std::nullopt;
    const auto first = begin ? pointee(*begin, memory_) : std::nullopt;
    const auto size = first ? byte_size(first->type) : std::nullopt;
    const auto from = begin ? scalar(*begin, memory_) : std::nullopt;
    const auto to = end ? scalar(*end, memory_) : std::nullopt;
    if (!from || !to || *to < *from) return "";
    if (*to == *from) return "{}";
    if (!size || *size == 0) return "";
    return list(
        (*to - *from) / *size,
        [&](uint64_t i) {
          return std::optional<TypedPlace>({Location{.address = *from + i * *size}, first->type});
        },
        depth);
  }

  std::string structure(const TypedPlace& value, int depth) {
    const std::string name(die_name(value.type));
    if (std::string known = library_value(value, name, depth); !known.empty()) return known;
    if (depth >= kDeepest) return "{...}";
    std::string out;
    bool hides = false;
    visit_children(value.type, [&](Dwarf_Die child) {
      if (dwarf_tag(&child) != DW_TAG_member || has_flag(child, DW_AT_external)) return true;
      const std::string field(die_name(child));
      // The library's own members say nothing.
      if (field.empty() || is_reserved_identifier(field) || has_prefix(field, "_M_")) {
        hides = true;
        return true;
      }
      const auto part = member(value, field);
      if (part) out += (out.empty() ? "" : ", ") + field + " = " + text(*part, depth + 1);
      return out.size() < kLongest;
    });
    if (out.empty()) return hides ? "{...}" : "{}";
    return "{" + out + (out.size() < kLongest ? "}" : ", ...}");
  }

  const ReadMemory& memory_;
};

}  // namespace

std::string value_text(const TypedPlace& value, const ReadMemory& memory) {
  std::string text = Writer(memory).text(value, 0);
  return text.size() <= kLongest + 50 ? text : text.substr(0, kLongest) + "...";
}

}  // namespace mazurka
