#include "source/code_index.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "source/names.h"

namespace mazurka {
namespace {

// From the function down to the innermost inlined call around the address.
void collect_inlined(Dwarf_Die die, uint64_t address, std::vector<Dwarf_Die>& chain,
                     int depth = 0) {
  if (depth > kMaxDieDepth) return;
  visit_children(die, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block &&
        tag != DW_TAG_try_block && tag != DW_TAG_catch_block) {
      return true;
    }
    if (dwarf_haspc(&child, address) <= 0) return true;
    if (tag == DW_TAG_inlined_subroutine) chain.push_back(child);
    collect_inlined(child, address, chain, depth + 1);
    return false;
  });
}

int line_number(std::optional<uint64_t> value) { return value ? static_cast<int>(*value) : 0; }

// Not by dwarf_decl_file, which aborts on a unit without a file table of its own (-gsplit-dwarf).
bool declared_in_system_file(Dwarf_Die function, Dwarf_Die unit_root) {
  const std::optional<uint64_t> file = number(function, DW_AT_decl_file);
  return file && is_system_file(file_in_table(unit_root, *file));
}

std::string path_of(Dwarf_Line* line, Dwarf_Die unit) {
  const char* path = dwarf_linesrc(line, nullptr, nullptr);
  Dwarf_Attribute value;
  const char* directory = nullptr;
  if (dwarf_attr(&unit, DW_AT_comp_dir, &value) != nullptr) directory = dwarf_formstring(&value);
  return path == nullptr ? "" : absolute_path(path, directory == nullptr ? "" : directory);
}

// The row of the line table that covers the address: the last one that starts at or before it.
std::optional<size_t> row_at(Dwarf_Lines* lines, size_t count, uint64_t address) {
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    Dwarf_Addr start = 0;
    dwarf_lineaddr(dwarf_onesrcline(lines, middle), &start);
    (start <= address ? low : high) = start <= address ? middle + 1 : middle;
  }
  if (low == 0) return std::nullopt;
  return low - 1;
}

}  // namespace

CodeIndex::CodeIndex(const DebugFile& file, Scopes& scopes)
    : file_(file), scopes_(scopes), units_(all_units(file.dwarf())) {
  // Not .debug_aranges, which clang does not write.
  for (size_t i = 0; i < units_.size(); ++i) add_ranges(units_[i].lines, i, unit_ranges_);
}

void CodeIndex::add_ranges(Dwarf_Die die, size_t index, std::vector<Range>& ranges) const {
  Dwarf_Addr base = 0;
  Dwarf_Addr start = 0;
  Dwarf_Addr end = 0;
  ptrdiff_t at = 0;
  while ((at = dwarf_ranges(&die, at, &base, &start, &end)) > 0) {
    if (start < end && file_.is_code(start)) ranges.push_back({start, end, index});
  }
}

const CodeIndex::Range* CodeIndex::smallest(const std::vector<Range>& ranges, uint64_t address) {
  const Range* best = nullptr;
  for (const Range& range : ranges) {
    if (address < range.start || address >= range.end) continue;
    if (best == nullptr || range.end - range.start < best->end - best->start) best = &range;
  }
  return best;
}

const CodeIndex::Functions& CodeIndex::functions(size_t unit) {
  const auto [entry, is_new] = functions_.try_emplace(unit);
  Functions& functions = entry->second;
  if (!is_new) return functions;
  auto visit = [&](Dwarf_Die die, Dwarf_Die) {
    if (dwarf_tag(&die) == DW_TAG_subprogram) {
      add_ranges(die, functions.dies.size(), functions.ranges);
      functions.dies.push_back(die);
    }
    return dwarf_haschildren(&die) > 0 && dwarf_tag(&die) != DW_TAG_inlined_subroutine;
  };
  visit_below(units_[unit].root, visit);
  return functions;
}

// Compilers give line 0 to code of their own, and optimised code may carry the line of a header
// although its inlined call ends a few bytes before. The nearest earlier row of the function that
// names its own text says more.
void CodeIndex::set_line(const Unit& unit, uint64_t address, const Range* function,
                         bool in_system_function, CodeFrame& frame) const {
  Dwarf_Die lines_die = unit.lines;
  Dwarf_Lines* lines = nullptr;
  size_t count = 0;
  if (dwarf_getsrclines(&lines_die, &lines, &count) != 0) return;
  const std::optional<size_t> first = row_at(lines, count, address);
  if (!first) return;
  for (size_t row = *first + 1; row-- > 0;) {
    Dwarf_Line* line = dwarf_onesrcline(lines, row);
    Dwarf_Addr start = 0;
    int number = 0;
    bool ends = false;
    dwarf_lineaddr(line, &start);
    dwarf_lineno(line, &number);
    dwarf_lineendsequence(line, &ends);
    if (ends || (row != *first && (function == nullptr || start < function->start))) return;
    if (number == 0) continue;
    const std::string path = path_of(line, unit.lines);
    const bool fits = in_system_function || !is_system_file(path);
    if (fits || frame.line == 0) {
      frame.file = path;
      frame.line = number;
    }
    if (fits) return;
  }
}

// -g1 writes down functions without the classes around them; their linkage names still have both.
std::string CodeIndex::function_name_of(Dwarf_Die function) {
  std::string name = scopes_.qualified_name(function);
  Dwarf_Attribute linkage;
  if (name.find("::") == std::string::npos &&
      dwarf_attr_integrate(&function, DW_AT_linkage_name, &linkage) != nullptr) {
    const char* symbol = dwarf_formstring(&linkage);
    if (symbol != nullptr) name = function_name(symbol);
  }
  return name;
}

std::vector<CodeFrame> CodeIndex::frames(uint64_t address) {
  const Range* unit_range = smallest(unit_ranges_, address);
  if (unit_range == nullptr) return {};
  const Unit& unit = units_[unit_range->index];
  const Functions& known = functions(unit_range->index);
  const Range* function = smallest(known.ranges, address);

  std::vector<Dwarf_Die> chain;
  if (function != nullptr) {
    chain.push_back(known.dies[function->index]);
    collect_inlined(known.dies[function->index], address, chain);
  }
  std::vector<CodeFrame> frames(std::max<size_t>(chain.size(), 1));
  const bool system = chain.empty() || declared_in_system_file(chain.back(), unit.lines);
  set_line(unit, address, function, system, frames[0]);
  for (size_t i = 0; i < chain.size(); ++i) {
    const Dwarf_Die& die = chain[chain.size() - 1 - i];
    frames[i].function = function_name_of(die);
    if (i + 1 == chain.size()) break;
    if (const auto file = number(die, DW_AT_call_file)) {
      frames[i + 1].file = file_in_table(unit.lines, *file);
    }
    frames[i + 1].line = line_number(number(die, DW_AT_call_line));
  }
  return frames;
}

}  // namespace mazurka
