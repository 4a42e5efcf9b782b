#include "source/type_path.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

#include "source/names.h"

namespace mazurka {
namespace {

constexpr int kMaxTypedefs = 64;

bool is_synchronisation_type(std::string_view name) {
  static constexpr std::array<std::string_view, 11> kNames = {"pthread_mutex_t",
                                                              "pthread_cond_t",
                                                              "pthread_rwlock_t",
                                                              "pthread_spinlock_t",
                                                              "pthread_barrier_t",
                                                              "pthread_once_t",
                                                              "sem_t",
                                                              "mtx_t",
                                                              "cnd_t",
                                                              "once_flag",
                                                              "atomic_flag"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string plus(uint64_t offset) {
  if (offset == 0) return "";
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "+0x%llx", static_cast<unsigned long long>(offset));
  return text.data();
}

bool is_wrapper(int tag) {
  return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
         tag == DW_TAG_atomic_type || tag == DW_TAG_restrict_type || tag == DW_TAG_immutable_type;
}

struct Part {
  Dwarf_Die die;
  Dwarf_Die type;
  uint64_t offset;
  std::optional<uint64_t> size;
};

// Empty for static members, and for virtual bases, whose place only the running object knows.
std::optional<uint64_t> part_offset(Dwarf_Die die) {
  if (has_flag(die, DW_AT_declaration) || has_flag(die, DW_AT_external)) return std::nullopt;
  if (const auto bits = number(die, DW_AT_data_bit_offset)) return *bits / 8;
  if (dwarf_hasattr(&die, DW_AT_data_member_location) == 0) return 0;
  return number(die, DW_AT_data_member_location);
}

// A union's widest alternative first, because std::optional puts an empty one beside the value; and
// the later part first, because an empty base occupies a byte of the part that really is there.
void sort_by_promise(std::vector<Part>& parts) {
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    if (a.offset != b.offset) return a.offset > b.offset;
    return a.size.value_or(0) > b.size.value_or(0);
  });
}

// The lengths of the dimensions; 0 where unknown.
std::vector<uint64_t> dimensions(Dwarf_Die array) {
  std::vector<uint64_t> lengths;
  visit_children(array, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) return true;
    const auto count = number(child, DW_AT_count);
    const auto last = number(child, DW_AT_upper_bound);
    lengths.push_back(count ? *count : last ? *last + 1 : 0);
    return true;
  });
  return lengths;
}

}  // namespace

std::string TypePaths::path(Dwarf_Die type, uint64_t offset) {
  const std::optional<std::string> found = walk(type, offset, Shown::Yes, 0);
  return found ? *found : plus(offset);
}

std::optional<uint64_t> TypePaths::size_of(Dwarf_Die type) {
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(&type, &size) == 0) return size;
  const std::optional<Dwarf_Die> open = open_type(type);
  if (!open) return std::nullopt;
  Dwarf_Die definition = *open;
  if (dwarf_aggregate_size(&definition, &size) != 0) return std::nullopt;
  return size;
}

std::optional<Dwarf_Die> TypePaths::open_type(Dwarf_Die type) {
  for (int i = 0; i < kMaxTypedefs; ++i) {
    const char* name = dwarf_diename(&type);
    if (name != nullptr && is_synchronisation_type(name)) return std::nullopt;
    if (!is_wrapper(dwarf_tag(&type))) return defined(type);
    const std::optional<Dwarf_Die> inner = reference(type, DW_AT_type);
    if (!inner) return std::nullopt;
    type = *inner;
  }
  return std::nullopt;
}

// clang describes a class only where its constructor is, so the definition may be in another unit.
Dwarf_Die TypePaths::defined(Dwarf_Die type) {
  type = type_definition(type);
  if (!is_class(dwarf_tag(&type)) || !has_flag(type, DW_AT_declaration)) return type;
  const char* wanted = dwarf_diename(&type);
  if (wanted == nullptr) return type;
  const std::string name = scopes_.qualified_name(type);
  auto entry = definitions_.find(name);
  if (entry == definitions_.end()) {
    entry = definitions_.emplace(name, find_definition(wanted, name)).first;
  }
  return entry->second ? *entry->second : type;
}

std::optional<Dwarf_Die> TypePaths::find_definition(std::string_view own_name,
                                                    const std::string& qualified_name) {
  std::optional<Dwarf_Die> found;
  auto visit = [&](Dwarf_Die die, Dwarf_Die) {
    if (found || dwarf_tag(&die) == DW_TAG_subprogram) return false;
    const char* name = is_class(dwarf_tag(&die)) ? dwarf_diename(&die) : nullptr;
    // The cheap comparison first: a qualified name makes us index the unit.
    if (name != nullptr && name == own_name && !has_flag(die, DW_AT_declaration) &&
        scopes_.qualified_name(die) == qualified_name) {
      found = die;
    }
    return dwarf_haschildren(&die) > 0;
  };
  for (const Unit& unit : all_units(file_.dwarf())) {
    if (!found) visit_below(unit.root, visit);
  }
  return found;
}

std::optional<std::string> TypePaths::walk(Dwarf_Die type, uint64_t offset, Shown shown,
                                           int depth) {
  const std::optional<Dwarf_Die> open = open_type(type);
  if (!open || depth > kMaxDieDepth) return "";
  Dwarf_Die die = *open;
  const int tag = dwarf_tag(&die);
  if (tag == DW_TAG_array_type && !has_flag(die, DW_AT_GNU_vector)) {
    return walk_array(die, offset, shown, depth);
  }
  // An incomplete class: what lies inside is not for us to know.
  if (is_class(tag) && has_flag(die, DW_AT_declaration)) return "";
  if (is_class(tag)) return walk_class(die, offset, shown, depth);
  return shown == Shown::Yes ? plus(offset) : "";
}

std::optional<std::string> TypePaths::walk_array(Dwarf_Die array, uint64_t offset, Shown shown,
                                                 int depth) {
  const std::optional<Dwarf_Die> element = reference(array, DW_AT_type);
  const std::optional<uint64_t> element_size = element ? size_of(*element) : std::nullopt;
  if (!element_size || *element_size == 0) return plus(offset);
  uint64_t index = offset / *element_size;
  const std::vector<uint64_t> lengths = dimensions(array);
  std::string indices;
  for (size_t i = lengths.size(); i-- > 0;) {
    const bool outermost = i == 0;
    if (outermost && lengths[i] != 0 && index >= lengths[i]) return std::nullopt;
    const uint64_t here = outermost || lengths[i] == 0 ? index : index % lengths[i];
    indices.insert(0, "[" + std::to_string(here) + "]");
    if (lengths[i] != 0) index /= lengths[i];
  }
  const Shown below = shown == Shown::OnlyElements ? Shown::Yes : shown;
  const auto rest = walk(*element, offset % *element_size, below, depth + 1);
  const std::string inside = rest ? *rest : plus(offset % *element_size);
  return shown == Shown::No ? inside : indices + inside;
}

std::optional<std::string> TypePaths::walk_class(Dwarf_Die type, uint64_t offset, Shown shown,
                                                 int depth) {
  std::vector<Part> parts;
  visit_children(type, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return true;
    const auto start = part_offset(child);
    const auto part_type = reference(child, DW_AT_type);
    if (!start || !part_type || offset < *start) return true;
    const auto size = size_of(*part_type);
    // A flexible array member has size 0 or none, and goes on to the end.
    if (!size || *size == 0 || offset - *start < *size) {
      parts.push_back({child, *part_type, *start, size});
    }
    return true;
  });
  sort_by_promise(parts);
  for (Part& part : parts) {
    const char* name = dwarf_tag(&part.die) == DW_TAG_member ? dwarf_diename(&part.die) : nullptr;
    const std::string_view text = name == nullptr ? "" : name;
    const bool hidden = is_reserved_identifier(text) || text.starts_with("_vptr");
    const bool elements = text == "_M_elems" || text == "__elems_";
    Shown below = text.empty() ? shown : Shown::Yes;
    if (hidden) below = elements ? Shown::OnlyElements : Shown::No;
    const auto rest = walk(part.type, offset - part.offset, below, depth + 1);
    if (!rest) continue;
    return text.empty() || hidden ? *rest : "." + std::string(text) + *rest;
  }
  return std::nullopt;
}

}  // namespace mazurka
