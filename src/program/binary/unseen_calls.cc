#include "program/binary/unseen_calls.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "program/binary/elf_file.h"
#include "program/binary/instrumentation.h"

namespace mazurka {
namespace {

// Sorted. Those that the runtime knows (runtime/libc) are seen.
constexpr std::string_view kFunctions[] = {"hcreate_r", "iconv",   "lfind",   "lsearch",
                                           "random_r",  "regcomp", "regexec", "strerror_r",
                                           "tdelete",   "tfind",   "tsearch", "twalk"};

// What of the C++ library is not in its headers, by how its symbols begin.
constexpr std::pair<std::string_view, const char*> kOfLibrary[] = {
    {"_ZNSt7__cxx1112basic_string", "std::string"},
    {"_ZNKSt7__cxx1112basic_string", "std::string"},
    {"_ZSt18_Rb_tree", "std::map"},
    {"_ZSt28_Rb_tree", "std::map"},
    {"_ZSt29_Rb_tree", "std::map"},
    {"_ZNSt8__detail15_List_node_base", "std::list"},
    {"_ZNKSt8__detail20_Prime_rehash_policy", "std::unordered_map"},
    {"_ZStls", "std::ostream"},
    {"_ZNSo", "std::ostream"},
    {"_ZSt16__ostream_insert", "std::ostream"},
    {"_ZNSi", "std::istream"},
    {"_ZStrs", "std::istream"},
    {"_ZSt7getline", "std::getline"},
    {"_ZNSt7__cxx1115basic_string", "std::stringbuf"},
    {"_ZNSt7__cxx1118basic_string", "std::stringstream"},
    {"_ZNSt7__cxx1119basic_string", "std::stringstream"}};

// Seen, but not in the form that checks sizes (_FORTIFY_SOURCE).
constexpr std::string_view kSeenUnchecked[] = {"asprintf", "dprintf",  "poll",    "ppoll",
                                               "pread",    "readlink", "stpncpy", "wcscpy"};

template <typename Names>
bool has(const Names& names, std::string_view name) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

// "__printf_chk" is printf, "__isoc99_sscanf" is sscanf.
std::string_view plain_name(std::string_view symbol) {
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_", "__"}) {
    if (!symbol.starts_with(prefix)) continue;
    symbol.remove_prefix(prefix.size());
    break;
  }
  if (symbol.ends_with("_chk")) symbol.remove_suffix(4);
  return symbol;
}

// Calls f(name) for each function or variable that the file wants from others.
template <typename F>
void each_import(const ElfFile& file, F&& f) {
  for (const Elf64_Shdr& section : file.sections()) {
    if (section.sh_type != SHT_DYNSYM) continue;
    const std::span<const Elf64_Sym> symbols = file.content<Elf64_Sym>(section);
    for (const Elf64_Sym& symbol : symbols) {
      if (symbol.st_shndx == SHN_UNDEF) f(file.text(section.sh_link, symbol.st_name));
    }
  }
}

}  // namespace

std::string unseen_call(const std::string& symbol) {
  for (const auto& [prefix, name] : kOfLibrary) {
    if (symbol.starts_with(prefix)) return name;
  }
  const std::string_view name = plain_name(symbol);
  const bool is_checked = symbol.ends_with("_chk");
  return has(kFunctions, name) || (is_checked && has(kSeenUnchecked, name)) ? std::string(name)
                                                                            : "";
}

std::vector<std::string> unseen_calls(const std::vector<LoadedModule>& modules) {
  std::set<std::string> names;
  for (const LoadedModule& module : modules) {
    if (module.path.empty() || module.path[0] != '/' || !is_instrumented(module.path)) continue;
    each_import(ElfFile(module.path), [&](const std::string& symbol) {
      if (std::string name = unseen_call(symbol); !name.empty()) names.insert(std::move(name));
    });
  }
  return {names.begin(), names.end()};
}

}  // namespace mazurka
