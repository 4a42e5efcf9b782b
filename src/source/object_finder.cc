#include "source/object_finder.h"

#include <dwarf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <queue>
#include <set>
#include <string_view>

#include "source/names.h"
#include "source/value_text.h"

namespace mazurka {
namespace {

constexpr size_t kMostNodes = 4000;
constexpr int kMostHops = 3;
constexpr int kDeepestPart = 12;
constexpr uint64_t kMostPointerElements = 16;  // of an array that holds pointers
constexpr size_t kMostPointers = 64;           // of one type
constexpr size_t kLongestClass = 40;

// What stands between the owner and the object.
constexpr int kPartCost = 1;
constexpr int kHopCost = 4;
constexpr int kOwningHopCost = 3;
constexpr int kParameterCost = 2;  // the same name is another object in each call
constexpr int kThisCost = 3;

// How what a pointer leads to is written.
enum class Hop { Arrow, Reference, Element };

struct PointerPart {
  uint64_t offset;
  std::string text;  // ".server_"
  int depth;         // members and elements in it
  Dwarf_Die target;
  Hop hop;
  bool owns;
};

struct Node {
  uint64_t address = 0;
  Dwarf_Die type;
  std::string text;
  int cost = 0;
  int hops = 0;
  bool is_pointed_at = false;  // `text` is the pointer
  bool is_this = false;        // `text` is the class
  NamedModule* module = nullptr;
};

struct Costlier {
  bool operator()(const Node& a, const Node& b) const { return a.cost > b.cost; }
};

bool is_pointer(int tag) { return tag == DW_TAG_pointer_type; }
bool is_reference(int tag) {
  return tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

int parts_in(std::string_view path) {
  return static_cast<int>(
      std::count_if(path.begin(), path.end(), [](char c) { return c == '.' || c == '['; }));
}

// "BoundedQueue<int>"; arguments that are long are left out.
std::string class_text(Dwarf_Die type) {
  std::string name(die_name(type));
  const size_t arguments = name.find('<');
  if (name.size() > kLongestClass && arguments != std::string::npos)
    name = name.substr(0, arguments) + "<...>";
  return name;
}

bool is_closure(Dwarf_Die type) {
  const std::string_view name = die_name(type);
  return name.empty() || name.find("lambda") != std::string_view::npos;
}

// Of the pointers that a library keeps to itself, only these lead to what its user put there.
bool is_container(std::string_view name) { return name.starts_with("vector<"); }
bool is_smart_pointer(std::string_view name) {
  return name.starts_with("unique_ptr<") || name.starts_with("shared_ptr<") ||
         name.starts_with("reference_wrapper<");
}

// "account" and ".lock"; "session" is a pointer there: "session->lock".
std::string joined(const Node& node, std::string_view path) {
  if (node.is_this)
    return path.starts_with('.') ? node.text + "::" + std::string(path.substr(1)) : "";
  if (!node.is_pointed_at) return node.text + std::string(path);
  if (path.starts_with('.')) return node.text + "->" + std::string(path.substr(1));
  if (path.starts_with('[')) return "(*" + node.text + ")" + std::string(path);
  return "*" + node.text + std::string(path);
}

class Search {
 public:
  Search(const std::vector<SoughtPlace>& sought, const ReadMemory& memory)
      : sought_(sought), memory_(memory), found_(sought.size()) {}

  void add(const FrameVariable& variable, bool is_global) {
    const auto type = plain_type(variable.type);
    if (!type || variable.location.bit_size != 0) return;
    const int tag = tag_of(*type);
    if (is_pointer(tag) || is_reference(tag)) return add_pointer(variable, *type, is_global);
    if (!variable.location.address) return;
    push({*variable.location.address, *type, variable.name, 0, 0, false, false, variable.module});
  }

  std::vector<std::vector<Expression>> run() {
    for (size_t i = 0; i < kMostNodes && !open_.empty(); ++i) {
      const Node node = open_.top();
      open_.pop();
      look_in(node);
      if (node.hops < kMostHops) follow(node);
    }
    return std::move(found_);
  }

 private:
  static int tag_of(Dwarf_Die die) { return dwarf_tag(&die); }

  void push(Node node) {
    if (seen_.emplace(node.address, node.type.addr, node.text).second) open_.push(std::move(node));
  }

  void add_pointer(const FrameVariable& variable, Dwarf_Die type, bool is_global) {
    uint64_t address = variable.location.value;
    if (variable.location.address && !memory_(*variable.location.address, &address, sizeof address))
      return;
    const auto target = reference(type, DW_AT_type);
    const auto pointee = target ? plain_type(*target) : std::nullopt;
    if (address == 0 || !pointee) return;
    const bool is_this =
        variable.name == "this" || variable.name == "__closure" || variable.name == "frame_ptr";
    if (is_this && (variable.name != "this" || is_closure(*pointee)))
      return add_captures(address, *pointee, variable.module);
    Node base{address, *pointee, variable.name, is_global ? 0 : kParameterCost,
              0,       false,    false,         variable.module};
    if (is_this) {
      push({address, *pointee, class_text(*pointee), kThisCost + kHopCost, 1, false, true,
            variable.module});
      return;
    }
    lead_to(base, address, *pointee, is_reference(tag_of(type)) ? Hop::Reference : Hop::Arrow,
            kHopCost);
  }

  // A lambda's captures have the names of variables; a coroutine's frame has its locals.
  void add_captures(uint64_t closure, Dwarf_Die type, NamedModule* module) {
    visit_children(type, [&](Dwarf_Die child) {
      if (tag_of(child) != DW_TAG_member) return true;
      const auto offset = number(child, DW_AT_data_member_location);
      const auto part = reference(child, DW_AT_type);
      std::string name(die_name(child));
      if (!offset || !part || name.starts_with("_Coro_")) return true;
      if (name.starts_with("__")) name = name.substr(2);
      // "lock_2_3": of a coroutine's frame, which block the local is in
      while (name.size() > 2 && std::isdigit(static_cast<unsigned char>(name.back())) != 0) {
        const size_t bar = name.find_last_not_of("0123456789");
        if (bar == std::string::npos || bar == 0 || name[bar] != '_') break;
        name.resize(bar);
      }
      FrameVariable capture{name, *part, Location{.address = closure + *offset}, module};
      add(capture, false);
      return true;
    });
  }

  // What the node contains.
  void look_in(const Node& node) {
    const auto size = node.module->types.size_of(node.type);
    if (!size) return;
    for (size_t i = 0; i < sought_.size(); ++i) {
      const uint64_t offset = sought_[i].address - node.address;
      if (offset >= *size) continue;
      const std::string path = node.module->types.path(node.type, offset);
      const std::string text = path.starts_with('+') ? "" : joined(node, path);
      if (!text.empty()) found(i, {text, node.cost + kPartCost * parts_in(path)});
    }
  }

  void found(size_t i, Expression expression) {
    std::vector<Expression>& all = found_[i];
    const auto same = std::find_if(all.begin(), all.end(), [&](const Expression& known) {
      return known.text == expression.text;
    });
    if (same == all.end()) {
      all.push_back(std::move(expression));
    } else {
      same->cost = std::min(same->cost, expression.cost);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Expression& a, const Expression& b) { return a.cost < b.cost; });
  }

  // Where its pointers lead.
  void follow(const Node& node) {
    for (const PointerPart& part : pointers_in(node.type, *node.module)) {
      uint64_t address = 0;
      if (!memory_(node.address + part.offset, &address, sizeof address) || address == 0) continue;
      Node base = node;
      base.text = joined(node, part.text);
      if (base.text.empty()) continue;
      base.is_this = base.is_pointed_at = false;
      base.cost += kPartCost * part.depth;
      lead_to(base, address, part.target, part.hop, part.owns ? kOwningHopCost : kHopCost);
    }
  }

  // `base` is the pointer, which has this value.
  void lead_to(Node base, uint64_t address, Dwarf_Die target, Hop hop, int cost) {
    const auto size = base.module->types.size_of(target);
    if (!size || *size == 0) return;
    base.cost += cost;
    base.type = target;
    ++base.hops;
    if (hop != Hop::Reference) lead_to_elements(base, address, *size, hop);
    if (hop == Hop::Element) return;
    base.address = address;
    base.is_pointed_at = hop == Hop::Arrow;
    if (is_pointer(tag_of(target))) return lead_through(base, address, target);
    push(std::move(base));
  }

  // A reference to a pointer.
  void lead_through(const Node& base, uint64_t at, Dwarf_Die type) {
    uint64_t address = 0;
    const auto target = reference(type, DW_AT_type);
    const auto pointee = target ? plain_type(*target) : std::nullopt;
    if (base.is_pointed_at || base.hops >= kMostHops || !pointee) return;
    if (memory_(at, &address, sizeof address) && address != 0)
      lead_to(base, address, *pointee, Hop::Arrow, kHopCost);
  }

  // Those of one block that contain something sought.
  void lead_to_elements(const Node& base, uint64_t first, uint64_t size, Hop hop) {
    constexpr uint64_t kCookie = 8;  // the count that new[] keeps before the elements
    for (const SoughtPlace& place : sought_) {
      if (place.block == 0 || first < place.block || place.address < first) continue;
      const bool is_whole_block = first == place.block || first == place.block + kCookie;
      const uint64_t index = (place.address - first) / size;
      if (hop != Hop::Element && (index == 0 || !is_whole_block)) continue;
      if (size == 1) continue;  // bytes of anything
      Node element = base;
      element.address = first + index * size;
      element.text += "[" + std::to_string(index) + "]";
      element.cost += kPartCost;
      element.is_pointed_at = false;
      push(std::move(element));
    }
  }

  const std::vector<PointerPart>& pointers_in(Dwarf_Die type, NamedModule& module) {
    const auto [entry, is_new] = pointers_.try_emplace(type.addr);
    if (is_new) list_pointers(type, 0, "", 0, "", module, entry->second, 0);
    return entry->second;
  }

  // `library`: the library's class whose own members we are in; empty in the user's.
  void list_pointers(Dwarf_Die whole, uint64_t offset, const std::string& text, int parts,
                     std::string_view library, NamedModule& module, std::vector<PointerPart>& out,
                     int depth) {
    const auto plain = plain_type(whole);
    if (!plain || depth > kDeepestPart || out.size() >= kMostPointers) return;
    Dwarf_Die type = *plain;
    const int tag = tag_of(type);
    if (is_pointer(tag) || is_reference(tag)) {
      const auto target = reference(type, DW_AT_type);
      const auto pointee = target ? plain_type(*target) : std::nullopt;
      if (!pointee) return;
      const Hop hop = is_container(library) ? Hop::Element
                      : is_reference(tag)   ? Hop::Reference
                                            : Hop::Arrow;
      out.push_back({offset, text, parts, *pointee, hop, !library.empty()});
    } else if (tag == DW_TAG_array_type) {
      list_elements(type, offset, text, parts, module, out, depth);
    } else if (is_class(tag)) {
      list_members(type, offset, text, parts, library, module, out, depth);
    }
  }

  void list_elements(Dwarf_Die array, uint64_t offset, const std::string& text, int parts,
                     NamedModule& module, std::vector<PointerPart>& out, int depth) {
    const auto item = reference(array, DW_AT_type);
    const auto size = item ? module.types.size_of(*item) : std::nullopt;
    const auto whole = module.types.size_of(array);
    if (!size || *size == 0 || !whole) return;
    for (uint64_t i = 0; i < std::min(*whole / *size, kMostPointerElements); ++i) {
      list_pointers(*item, offset + i * *size, text + "[" + std::to_string(i) + "]", parts + 1, "",
                    module, out, depth + 1);
    }
  }

  void list_members(Dwarf_Die type, uint64_t offset, const std::string& text, int parts,
                    std::string_view library, NamedModule& module, std::vector<PointerPart>& out,
                    int depth) {
    const std::string_view own = die_name(type);
    if (is_container(own) || is_smart_pointer(own)) library = own;
    visit_children(type, [&](Dwarf_Die child) {
      const int tag = tag_of(child);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return true;
      if (has_flag(child, DW_AT_external) || has_flag(child, DW_AT_declaration)) return true;
      const auto part = reference(child, DW_AT_type);
      const uint64_t at = offset + number(child, DW_AT_data_member_location).value_or(0);
      const std::string_view name = tag == DW_TAG_member ? die_name(child) : "";
      if (!part || name.starts_with("_vptr")) return true;
      const bool is_hidden = is_reserved_identifier(name);
      if (!is_hidden && !name.empty()) {
        list_pointers(*part, at, text + "." + std::string(name), parts + 1, "", module, out,
                      depth + 1);
        return true;
      }
      // std::array and std::optional have what is theirs by value.
      const bool leads_on = !name.starts_with("_M_finish") && !name.starts_with("_M_end_of") &&
                            !name.starts_with("_M_refcount");
      const auto plain = plain_type(*part);
      const bool is_known = !library.empty() || !plain || !is_pointer_like(*plain);
      if (leads_on && is_known)
        list_pointers(*part, at, text, parts, library, module, out, depth + 1);
      return true;
    });
  }

  static bool is_pointer_like(Dwarf_Die type) {
    return is_pointer(tag_of(type)) || is_reference(tag_of(type));
  }

  const std::vector<SoughtPlace>& sought_;
  const ReadMemory& memory_;
  std::vector<std::vector<Expression>> found_;
  std::priority_queue<Node, std::vector<Node>, Costlier> open_;
  std::set<std::tuple<uint64_t, const void*, std::string>> seen_;
  std::map<const void*, std::vector<PointerPart>> pointers_;
};

}  // namespace

std::vector<std::vector<Expression>> ObjectFinder::find(const std::vector<SoughtPlace>& sought,
                                                        const std::vector<FrameState>& frames,
                                                        const ReadMemory& memory) {
  Search search(sought, memory);
  for (const FrameState& frame : frames) {
    for (const FrameVariable& variable : variables_.of(frame, memory)) search.add(variable, false);
  }
  for (const FrameVariable& variable : variables_.globals(memory)) search.add(variable, true);
  return search.run();
}

}  // namespace mazurka
