#include "runtime/reset/module_ends.h"

#include <features.h>
#include <link.h>

#include <cstdint>
#include <cstring>

extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start[];  // of our own module

namespace mazurka {
namespace {

// Before 2.35 the linker does not tell of further namespaces (dlmopen).
#if __GLIBC_PREREQ(2, 35)
constexpr bool kTellsOfNamespaces = true;
#else
constexpr bool kTellsOfNamespaces = false;
#endif
constexpr int kOneNamespace = 1;

constexpr const char* kLibrariesOfTheSystem[] = {
    "linux-vdso.so.1", "ld-linux-x86-64.so.2", "libc.so.6",     "libm.so.6",
    "libgcc_s.so.1",   "libstdc++.so.6",       "libatomic.so.1"};

// The last one that there was; null: there are others than the program's and the system's.
const link_map* last_module;

bool is_of_the_system(const link_map& module) {
  if (module.l_addr == reinterpret_cast<uintptr_t>(__ehdr_start)) return true;
  const char* const slash = strrchr(module.l_name, '/');
  const char* const name = slash != nullptr ? slash + 1 : module.l_name;
  for (const char* known : kLibrariesOfTheSystem) {
    if (strcmp(name, known) == 0) return true;
  }
  return false;
}

// As the linker does it: the array from its end, then the one function of old.
void end_program(const link_map& program) {
  using End = void (*)();
  const End* ends = nullptr;
  size_t count = 0;
  End last = nullptr;
  for (const ElfW(Dyn)* entry = program.l_ld; entry->d_tag != DT_NULL; ++entry) {
    const uintptr_t address = program.l_addr + entry->d_un.d_ptr;
    if (entry->d_tag == DT_FINI_ARRAY) ends = reinterpret_cast<const End*>(address);
    if (entry->d_tag == DT_FINI_ARRAYSZ) count = entry->d_un.d_val / sizeof(End);
    if (entry->d_tag == DT_FINI) last = reinterpret_cast<End>(address);
  }
  while (ends != nullptr && count > 0) ends[--count]();
  if (last != nullptr) last();
}

}  // namespace

void look_at_modules() {
  last_module = nullptr;
  const link_map* module = _r_debug.r_map;
  if (!kTellsOfNamespaces || module == nullptr) return;
  while (module->l_next != nullptr) {
    module = module->l_next;
    if (!is_of_the_system(*module)) return;
  }
  last_module = module;
}

// What was loaded later comes behind the last one.
void end_modules(void (*linker_ends_all)()) {
  const bool is_plain = last_module != nullptr && last_module->l_next == nullptr &&
                        _r_debug.r_version == kOneNamespace;
  if (is_plain) return end_program(*_r_debug.r_map);
  if (linker_ends_all != nullptr) linker_ends_all();
}

}  // namespace mazurka
