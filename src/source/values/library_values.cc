#include "source/values/library_values.h"

#include <dwarf.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "source/dies.h"

namespace mazurka {
namespace {

using Shape = LibraryValue::Shape;
using Placed = std::optional<TypedPlace>;

constexpr uint64_t kPointerBytes = 8;
constexpr uint64_t kDequeBytes = 512;    // of a block of a deque, as libstdc++ has it
constexpr uint64_t kListValueAt = 16;    // behind two pointers
constexpr uint64_t kForwardValueAt = 8;  // behind one
constexpr uint64_t kTreeValueAt = 32;    // behind colour and three pointers
constexpr uint64_t kTreeParentAt = 8;
constexpr uint64_t kTreeLeftAt = 16;
constexpr uint64_t kTreeRightAt = 24;
constexpr size_t kMostNodesSeen = 100'000;  // memory that is no tree any more must not hold us up
constexpr uint64_t kMostInContainer = 1ull << 32;  // more is no vector, but memory that is none yet
constexpr size_t kMostTupleElements = 16;

// The first type argument of that name: "_Tp".
std::optional<Dwarf_Die> type_argument(Dwarf_Die type, std::string_view name) {
  std::optional<Dwarf_Die> found;
  visit_children(type, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) == DW_TAG_template_type_parameter && die_name(child) == name)
      found = reference(child, DW_AT_type);
    return !found;
  });
  return found;
}

std::optional<Dwarf_Die> type_argument(const TypedPlace& value, std::string_view name) {
  const auto type = plain_type(value.type);
  return type ? type_argument(*type, name) : std::nullopt;
}

class LibraryReader {
 public:
  LibraryReader(const TypedPlace& value, const ReadMemory& memory, size_t most)
      : value_(value), memory_(memory), most_(most) {}

  std::optional<LibraryValue> string() const {
    uint64_t address = 0;
    uint64_t length = 0;
    // At these places also where the debug information has but its name (clang).
    if (!read(*value_.location.address, address) ||
        !read(*value_.location.address + kPointerBytes, length))
      return std::nullopt;
    return text(address, length);
  }

  std::optional<LibraryValue> string_view() const {
    const auto address = number({"_M_str"});
    const auto length = number({"_M_len"});
    return address && length ? text(*address, *length) : std::nullopt;
  }

  std::optional<LibraryValue> vector() const {
    const Placed begin = path({"_M_impl", "_M_start"});
    return array_between(begin, number({"_M_impl", "_M_start"}), number({"_M_impl", "_M_finish"}));
  }

  std::optional<LibraryValue> bits() const {
    const auto from = number({"_M_impl", "_M_start", "_M_p"});
    const auto to = number({"_M_impl", "_M_finish", "_M_p"});
    const auto rest = number({"_M_impl", "_M_finish", "_M_offset"});
    const auto type = type_argument(value_, "_Tp");
    const auto plain = type ? type : type_argument_of_base("_Tp");
    if (!from || !to || !rest || !plain || *to < *from) return std::nullopt;
    LibraryValue list{Shape::List, "", {}, 8 * (*to - *from) + *rest};
    for (uint64_t i = 0; i < std::min<uint64_t>(list.count, most_); ++i) {
      list.parts.push_back({Location{*from + i / 8, 0, static_cast<uint32_t>(i % 8), 1}, *plain});
    }
    return list;
  }

  std::optional<LibraryValue> span() const {
    const Placed begin = path({"_M_ptr"});
    const auto from = number({"_M_ptr"});
    const auto type = plain_type(value_.type);
    auto count = number({"_M_extent", "_M_extent_value"});
    if (!count && type) {
      visit_children(*type, [&](Dwarf_Die child) {
        if (dwarf_tag(&child) == DW_TAG_template_value_parameter && die_name(child) == "_Extent")
          count = mazurka::number(child, DW_AT_const_value);
        return !count;
      });
    }
    const auto size = begin ? size_of_pointee(*begin) : std::nullopt;
    if (!from || !count || !size) return std::nullopt;
    return array_between(begin, from, *from + *count * *size);
  }

  std::optional<LibraryValue> deque() const {
    const Placed cursor = path({"_M_impl", "_M_start", "_M_cur"});
    const uint64_t size = cursor ? size_of_pointee(*cursor).value_or(0) : 0;
    const auto at = number({"_M_impl", "_M_start", "_M_cur"});
    const auto first = number({"_M_impl", "_M_start", "_M_first"});
    const auto node = number({"_M_impl", "_M_start", "_M_node"});
    const auto end = number({"_M_impl", "_M_finish", "_M_cur"});
    const auto end_first = number({"_M_impl", "_M_finish", "_M_first"});
    const auto end_node = number({"_M_impl", "_M_finish", "_M_node"});
    if (size == 0 || !at || !first || !node || !end || !end_first || !end_node ||
        *end_node < *node || *at < *first || *end < *end_first)
      return std::nullopt;
    const uint64_t in_block = size < kDequeBytes ? kDequeBytes / size : 1;
    const uint64_t before = (*at - *first) / size;
    const uint64_t all =
        (*end_node - *node) / kPointerBytes * in_block + (*end - *end_first) / size;
    if (all < before || all > kMostInContainer) return std::nullopt;
    LibraryValue list{Shape::List, "", {}, all - before};
    const auto type = pointed_type(*cursor);
    for (uint64_t i = before; i < all && list.parts.size() < most_; ++i) {
      uint64_t block = 0;
      if (!read(*node + i / in_block * kPointerBytes, block)) return std::nullopt;
      list.parts.push_back({Location{.address = block + i % in_block * size}, *type});
    }
    return list;
  }

  std::optional<LibraryValue> list() const {
    const Placed head = path({"_M_impl", "_M_node"});
    const auto type = type_argument(value_, "_Tp");
    const auto size = number({"_M_impl", "_M_node", "_M_size"});
    if (!head || !head->location.address || !type || !size || *size > kMostInContainer)
      return std::nullopt;
    LibraryValue all{Shape::List, "", {}, *size};
    const uint64_t end = *head->location.address;
    uint64_t at = 0;
    if (!read(end, at)) return std::nullopt;
    while (at != end && all.parts.size() < std::min<uint64_t>(most_, *size)) {
      all.parts.push_back({Location{.address = at + kListValueAt}, *type});
      if (!read(at, at)) return std::nullopt;
    }
    return all;
  }

  std::optional<LibraryValue> forward_list() const {
    auto at = number({"_M_impl", "_M_head", "_M_next"});
    const auto type = type_argument(value_, "_Tp");
    if (!at || !type) return std::nullopt;
    LibraryValue all{Shape::List, "", {}, 0};
    for (size_t i = 0; *at != 0 && i < kMostNodesSeen; ++i) {
      if (all.parts.size() < most_)
        all.parts.push_back({Location{.address = *at + kForwardValueAt}, *type});
      ++all.count;
      if (!read(*at, *at)) return std::nullopt;
    }
    return all;
  }

  std::optional<LibraryValue> tree(bool is_map) const {
    const Placed inside = path({"_M_t"});
    const Placed header = path({"_M_t", "_M_impl", "_M_header"});
    const auto count = number({"_M_t", "_M_impl", "_M_node_count"});
    const auto type = inside ? type_argument(*inside, "_Val") : std::nullopt;
    if (!header || !header->location.address || !count || !type || *count > kMostInContainer)
      return std::nullopt;
    LibraryValue all{is_map ? Shape::Map : Shape::List, "", {}, *count};
    const uint64_t end = *header->location.address;
    uint64_t at = 0;
    if (!read(end + kTreeLeftAt, at)) return std::nullopt;
    for (size_t i = 0; i < std::min<uint64_t>(most_, *count); ++i) {
      if (at == end || at == 0) return std::nullopt;  // it is being made
      add({Location{.address = at + kTreeValueAt}, *type}, all);
      if (!next_in_tree(at)) return std::nullopt;
    }
    return all;
  }

  std::optional<LibraryValue> table(bool is_map) const {
    const Placed inside = path({"_M_h"});
    auto at = number({"_M_h", "_M_before_begin", "_M_nxt"});
    const auto count = number({"_M_h", "_M_element_count"});
    const auto type = inside ? type_argument(*inside, "_Value") : std::nullopt;
    if (!at || !count || !type || *count > kMostInContainer) return std::nullopt;
    LibraryValue all{is_map ? Shape::Map : Shape::List, "", {}, *count};
    for (size_t i = 0; i < std::min<uint64_t>(most_, *count) && *at != 0; ++i) {
      add({Location{.address = *at + kForwardValueAt}, *type}, all);
      if (!read(*at, *at)) return std::nullopt;
    }
    return all;
  }

  std::optional<LibraryValue> optional() const {
    const auto engaged = number({"_M_payload", "_M_engaged"});
    const Placed inside = path({"_M_payload", "_M_payload", "_M_value"});
    if (!engaged || !inside) return std::nullopt;
    return (*engaged & 0xff) != 0 ? inner(*inside) : said("empty");
  }

  std::optional<LibraryValue> variant() const {
    const auto which = number({"_M_index"});
    Placed at = path({"_M_u"});
    if (!which || !at) return std::nullopt;
    if (*which == 0xff || *which == 0xffff) return said("valueless");
    for (uint64_t i = 0; i < *which && at; ++i) at = member(*at, "_M_rest");
    const Placed first = at ? member(*at, "_M_first") : std::nullopt;
    const auto type = first ? type_argument(*first, "_Type") : std::nullopt;
    if (!type) return std::nullopt;
    return inner({first->location, *type});
  }

  std::optional<LibraryValue> unique_pointer() const {
    const Placed inside = path({"_M_t", "_M_t"});
    const Placed pointer = inside ? tuple_head(*inside, 0, 0) : std::nullopt;
    if (!pointer) return std::nullopt;
    return LibraryValue{Shape::Pointer, "", {*pointer}, 1};
  }

  std::optional<LibraryValue> shared_pointer(bool is_weak) const {
    const Placed pointer = path({"_M_ptr"});
    const Placed counts = path({"_M_refcount", "_M_pi"});
    if (!pointer || !counts) return std::nullopt;
    const auto target = scalar(*counts, memory_);
    if (!target) return std::nullopt;
    if (*target == 0) return LibraryValue{Shape::Pointer, "", {*pointer}, 1};
    const Placed block = pointee(*counts, memory_);
    const Placed uses = block ? member(*block, "_M_use_count") : std::nullopt;
    const auto count = uses ? scalar(*uses, memory_) : std::nullopt;
    if (!count) return std::nullopt;
    if (is_weak && *count == 0) return said("expired");
    const std::string owners =
        " (" + std::to_string(*count) + (*count == 1 ? " owner)" : " owners)");
    return LibraryValue{Shape::Pointer, owners, {*pointer}, 1};
  }

  std::optional<LibraryValue> tuple() const {
    LibraryValue all{Shape::List, "", {}, 0};
    for (uint64_t i = 0; i < kMostTupleElements; ++i) {
      const Placed head = tuple_head(value_, i, 0);
      if (!head) break;
      all.parts.push_back(*head);
    }
    all.count = all.parts.size();
    if (all.parts.empty()) return std::nullopt;
    return all;
  }

  std::optional<LibraryValue> atomic() const {
    if (const Placed base = path({"_M_base", "_M_i"})) return inner(*base);
    if (const Placed pointer = path({"_M_b", "_M_p"})) return inner(*pointer);
    for (const char* name : {"_M_i", "_M_p", "_M_fp"}) {
      if (const Placed part = path({name})) return inner(*part);
    }
    return std::nullopt;
  }

  std::optional<LibraryValue> flag() const {
    const auto set = number({"_M_i"});
    if (!set) return std::nullopt;
    return said((*set & 0xff) != 0 ? "set" : "clear");
  }

  std::optional<LibraryValue> the_part(const char* name) const {
    const Placed part = path({name});
    if (!part) return std::nullopt;
    return inner(*part);
  }

  std::optional<LibraryValue> pointer_in(const char* name) const {
    const Placed part = path({name});
    if (!part) return std::nullopt;
    return LibraryValue{Shape::Pointer, "", {*part}, 1};
  }

 private:
  static LibraryValue said(std::string text) { return {Shape::Text, std::move(text), {}, 0}; }
  static LibraryValue inner(const TypedPlace& part) { return {Shape::Inner, "", {part}, 1}; }

  bool read(uint64_t address, uint64_t& out) const { return memory_(address, &out, sizeof out); }

  Placed path(std::initializer_list<const char*> names) const {
    Placed at = value_;
    for (const char* name : names) {
      if (at) at = member(*at, name);
    }
    return at;
  }

  std::optional<uint64_t> number(std::initializer_list<const char*> names) const {
    const Placed at = path(names);
    return at ? scalar(*at, memory_) : std::nullopt;
  }

  static std::optional<Dwarf_Die> pointed_type(const TypedPlace& pointer) {
    const auto type = plain_type(pointer.type);
    return type ? reference(*type, DW_AT_type) : std::nullopt;
  }

  static std::optional<uint64_t> size_of_pointee(const TypedPlace& pointer) {
    const auto type = pointed_type(pointer);
    return type ? byte_size(*type) : std::nullopt;
  }

  // vector<bool> has its arguments at the base alone in some versions.
  std::optional<Dwarf_Die> type_argument_of_base(std::string_view name) const {
    const auto type = plain_type(value_.type);
    std::optional<Dwarf_Die> found;
    if (!type) return found;
    visit_children(*type, [&](Dwarf_Die child) {
      const auto base =
          dwarf_tag(&child) == DW_TAG_inheritance ? reference(child, DW_AT_type) : std::nullopt;
      if (base) found = type_argument(type_definition(*base), name);
      return !found;
    });
    return found;
  }

  std::optional<LibraryValue> text(uint64_t address, uint64_t length) const {
    if (length > kMostInContainer) return std::nullopt;
    std::array<char, kMostText> bytes{};
    const size_t shown = std::min<uint64_t>(length, bytes.size());
    if (shown > 0 && !memory_(address, bytes.data(), shown)) return std::nullopt;
    return said(quoted(std::string(bytes.data(), shown), shown < length));
  }

  std::optional<LibraryValue> array_between(const Placed& pointer, std::optional<uint64_t> from,
                                            std::optional<uint64_t> to) const {
    const uint64_t size = pointer ? size_of_pointee(*pointer).value_or(0) : 0;
    if (!from || !to || *to < *from || size == 0) return std::nullopt;
    LibraryValue list{Shape::List, "", {}, (*to - *from) / size};
    if (list.count > kMostInContainer) return std::nullopt;
    const auto type = pointed_type(*pointer);
    for (uint64_t i = 0; i < std::min<uint64_t>(list.count, most_); ++i) {
      list.parts.push_back({Location{.address = *from + i * size}, *type});
    }
    return list;
  }

  // The next node in the order of the keys.
  bool next_in_tree(uint64_t& node) const {
    uint64_t right = 0;
    if (!read(node + kTreeRightAt, right)) return false;
    if (right != 0) {
      node = right;
      uint64_t left = 0;
      for (size_t i = 0; i < kMostNodesSeen; ++i) {
        if (!read(node + kTreeLeftAt, left)) return false;
        if (left == 0) return true;
        node = left;
      }
      return false;
    }
    for (size_t i = 0; i < kMostNodesSeen; ++i) {
      uint64_t parent = 0;
      uint64_t its_right = 0;
      if (!read(node + kTreeParentAt, parent) || parent == 0 ||
          !read(parent + kTreeRightAt, its_right))
        return false;
      const bool came_from_right = its_right == node;
      node = parent;
      if (!came_from_right) return true;
    }
    return false;
  }

  // Of a map, the pair's parts.
  static void add(const TypedPlace& element, LibraryValue& all) {
    if (all.shape == Shape::List) return all.parts.push_back(element);
    const Placed key = member(element, "first");
    const Placed mapped = member(element, "second");
    if (!key || !mapped) return;
    all.parts.push_back(*key);
    all.parts.push_back(*mapped);
  }

  // A tuple holds its elements in bases "_Head_base<0, int *, false>" of its bases.
  static Placed tuple_head(const TypedPlace& value, uint64_t place, int depth) {
    const auto type = plain_type(value.type);
    if (!type || depth > static_cast<int>(kMostTupleElements) + 2 || !value.location.address)
      return std::nullopt;
    // clang says "_Head_base<0UL, ...".
    const std::string wanted = "_Head_base<" + std::to_string(place);
    Placed found;
    visit_children(*type, [&](Dwarf_Die child) {
      const auto base =
          dwarf_tag(&child) == DW_TAG_inheritance ? reference(child, DW_AT_type) : std::nullopt;
      if (!base) return true;
      const TypedPlace part = {
          Location{.address = *value.location.address +
                              mazurka::number(child, DW_AT_data_member_location).value_or(0)},
          type_definition(*base)};
      const std::string_view name = die_name(part.type);
      const bool is_wanted = name.starts_with(wanted) && name.size() > wanted.size() &&
                             std::string_view(",U").find(name[wanted.size()]) != std::string::npos;
      if (is_wanted) {
        found = member(part, "_M_head_impl");  // before gcc 11, an empty element has none
      } else if (name.starts_with("_Tuple_impl<")) {
        found = tuple_head(part, place, depth + 1);
      }
      return !found;
    });
    return found;
  }

  const TypedPlace& value_;
  const ReadMemory& memory_;
  size_t most_;
};

using ReadClass = std::optional<LibraryValue> (*)(const LibraryReader&);

struct KnownClass {
  std::string_view prefix;  // of the class's name
  ReadClass read;
};

constexpr KnownClass kKnown[] = {
    {"basic_string<char,", [](const LibraryReader& at) { return at.string(); }},
    {"basic_string_view<char,", [](const LibraryReader& at) { return at.string_view(); }},
    {"vector<bool,", [](const LibraryReader& at) { return at.bits(); }},
    {"vector<", [](const LibraryReader& at) { return at.vector(); }},
    {"array<", [](const LibraryReader& at) { return at.the_part("_M_elems"); }},
    {"span<", [](const LibraryReader& at) { return at.span(); }},
    {"deque<", [](const LibraryReader& at) { return at.deque(); }},
    {"list<", [](const LibraryReader& at) { return at.list(); }},
    {"forward_list<", [](const LibraryReader& at) { return at.forward_list(); }},
    {"map<", [](const LibraryReader& at) { return at.tree(true); }},
    {"multimap<", [](const LibraryReader& at) { return at.tree(true); }},
    {"set<", [](const LibraryReader& at) { return at.tree(false); }},
    {"multiset<", [](const LibraryReader& at) { return at.tree(false); }},
    {"unordered_map<", [](const LibraryReader& at) { return at.table(true); }},
    {"unordered_multimap<", [](const LibraryReader& at) { return at.table(true); }},
    {"unordered_set<", [](const LibraryReader& at) { return at.table(false); }},
    {"unordered_multiset<", [](const LibraryReader& at) { return at.table(false); }},
    {"queue<", [](const LibraryReader& at) { return at.the_part("c"); }},
    {"stack<", [](const LibraryReader& at) { return at.the_part("c"); }},
    {"priority_queue<", [](const LibraryReader& at) { return at.the_part("c"); }},
    {"optional<", [](const LibraryReader& at) { return at.optional(); }},
    {"variant<", [](const LibraryReader& at) { return at.variant(); }},
    {"tuple<", [](const LibraryReader& at) { return at.tuple(); }},
    {"unique_ptr<", [](const LibraryReader& at) { return at.unique_pointer(); }},
    {"shared_ptr<", [](const LibraryReader& at) { return at.shared_pointer(false); }},
    {"weak_ptr<", [](const LibraryReader& at) { return at.shared_pointer(true); }},
    {"reference_wrapper<", [](const LibraryReader& at) { return at.pointer_in("_M_data"); }},
    {"atomic_flag", [](const LibraryReader& at) { return at.flag(); }},
    {"atomic<", [](const LibraryReader& at) { return at.atomic(); }},
    {"__atomic_base<", [](const LibraryReader& at) { return at.atomic(); }},
    {"duration<", [](const LibraryReader& at) { return at.the_part("__r"); }},
};

}  // namespace

std::optional<LibraryValue> library_value(const TypedPlace& value, const ReadMemory& memory,
                                          size_t most) {
  const auto type = plain_type(value.type);
  if (!type || !value.location.address) return std::nullopt;
  const std::string_view name = die_name(*type);
  const TypedPlace plain = {value.location, *type};
  for (const KnownClass& known : kKnown) {
    if (name.starts_with(known.prefix)) return known.read(LibraryReader(plain, memory, most));
  }
  return std::nullopt;
}

std::string quoted(const std::string& text, bool cut) {
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
  return out + (cut ? "\"..." : "\"");
}

}  // namespace mazurka
