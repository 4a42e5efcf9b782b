#include "source/code_standard.h"

#include <algorithm>

#include "source/debug_file.h"
#include "source/dies.h"

namespace mazurka {
namespace {

// "c++17", "gnu17": as compilers name them, the newest of them older than what they may become.
bool is_older_name(std::string_view name) {
  constexpr std::string_view kOlder[] = {
      "c11",   "gnu11",   "c17",          "gnu17",        "c18",         "gnu18",
      "c1x",   "gnu1x",   "c++11",        "gnu++11",      "c++0x",       "gnu++0x",
      "c++14", "gnu++14", "c++1y",        "gnu++1y",      "c++17",       "gnu++17",
      "c++1z", "gnu++1z", "iso9899:2011", "iso9899:2017", "iso9899:2018"};
  return std::find(std::begin(kOlder), std::end(kOlder), name) != std::end(kOlder);
}

std::string_view word_at(std::string_view text, size_t begin) {
  return text.substr(begin, text.find(' ', begin) - begin);
}

// gcc tells it first: "GNU C++17 12.2.0 ...".
bool is_older_for_gcc(std::string_view producer) {
  constexpr std::string_view kOlder[] = {"C11", "C17", "C++11", "C++14", "C++17"};
  const std::string_view language = word_at(producer, sizeof "GNU " - 1);
  return std::find(std::begin(kOlder), std::end(kOlder), language) != std::end(kOlder);
}

// clang tells its options, if it is asked to (-grecord-command-line). The last one counts.
std::string_view named_standard(std::string_view producer) {
  constexpr std::string_view kOptions[] = {" -std=", " --std="};
  std::string_view found;
  size_t at = 0;
  for (const std::string_view option : kOptions) {
    const size_t last = producer.rfind(option);
    if (last == std::string_view::npos || (!found.empty() && last < at)) continue;
    at = last;
    found = word_at(producer, last + option.size());
  }
  return found;
}

}  // namespace

bool is_older_standard(std::string_view producer, uint64_t language) {
  if (producer.starts_with("GNU ")) return is_older_for_gcc(producer);
  if (const std::string_view name = named_standard(producer); !name.empty())
    return is_older_name(name);
  // Without a word about it, clang's C is C17; its C++ becomes newer with its version.
  const bool is_told = producer.find(" -grecord-command-line") != std::string_view::npos;
  if (is_told && language == DW_LANG_C99) return true;
  return language == DW_LANG_C11 || language == DW_LANG_C_plus_plus_11;
}

std::vector<std::pair<uint64_t, uint64_t>> code_by_older_standards(const std::string& path) {
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  const DebugFile file(path);
  for (const Unit& unit : all_units(file.dwarf())) {
    Dwarf_Die root = unit.root;
    Dwarf_Attribute attribute;
    const char* const producer = dwarf_formstring(dwarf_attr(&root, DW_AT_producer, &attribute));
    const std::optional<uint64_t> language = number(root, DW_AT_language);
    if (producer == nullptr || !is_older_standard(producer, language.value_or(0))) continue;
    Dwarf_Die lines = unit.lines;
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(&lines, next, &base, &begin, &end)) > 0;) {
      if (begin < end && file.is_code(begin)) ranges.emplace_back(begin, end);
    }
  }
  std::sort(ranges.begin(), ranges.end());
  return ranges;
}

}  // namespace mazurka
