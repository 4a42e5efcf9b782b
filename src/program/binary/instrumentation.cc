#include "program/binary/instrumentation.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>

#include "program/binary/symbol_names.h"

namespace mazurka {
namespace {

// Every instrumented file mentions it among its symbols.
constexpr char kMark[] = "__tsan_init";

constexpr const char* kTrusted[] = {
    "ld-linux", "libc.so",  "libm.so", "libstdc++",  "libgcc_s",      "libc++",    "libatomic",
    "librt.so", "libdl.so", "libtsan", "libpthread", "libmazurka_rt", "linux-vdso"};

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool is_trusted(const std::string& name) {
  return std::any_of(std::begin(kTrusted), std::end(kTrusted),
                     [&](const char* known) { return name.compare(0, strlen(known), known) == 0; });
}

bool mentions_mark(const std::string& path) {
  const SymbolNames names(path);
  return !names.are_known() || names.mention(kMark);
}

}  // namespace

bool is_instrumented(const std::string& path) {
  return !is_trusted(file_name(path)) && mentions_mark(path);
}

std::string uninstrumented(const std::vector<LoadedModule>& modules) {
  std::set<std::string> names;
  for (const LoadedModule& module : modules) {
    const std::string name = file_name(module.path);
    if (module.path.empty() || module.path[0] != '/' || is_trusted(name)) continue;
    if (!mentions_mark(module.path)) names.insert(name);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace mazurka
