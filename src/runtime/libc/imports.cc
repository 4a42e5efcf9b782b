#include "runtime/libc/imports.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstring>

#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/libc/seen_calls.h"
#include "runtime/signals/signal_handler.h"

// import_stubs.S
extern "C" char mazurka_import_stubs[] __attribute__((visibility("hidden")));

namespace mazurka {
namespace {

constexpr uint32_t kStubs = 1024;
constexpr size_t kStubBytes = 16;
struct Import {
  const char* symbol;  // in the module's own table of names
  void* real;
};
Import imports[kStubs];
uint32_t import_count;

constexpr uint32_t kMostModules = 256;
uintptr_t seen_modules[kMostModules];
uint32_t seen_module_count;

// --- one module's tables

struct Module {
  uintptr_t base;
  const ElfW(Sym) * symbols;
  const char* names;
  const ElfW(Rela) * relocations;
  size_t relocation_size;
  const ElfW(Rela) * calls;
  size_t call_size;
};

Module read_module(const dl_phdr_info& info) {
  Module m{};
  m.base = info.dlpi_addr;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry =
        reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      const auto at = entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) m.symbols = reinterpret_cast<const ElfW(Sym)*>(at);
      if (entry->d_tag == DT_STRTAB) m.names = reinterpret_cast<const char*>(at);
      if (entry->d_tag == DT_RELA) m.relocations = reinterpret_cast<const ElfW(Rela)*>(at);
      if (entry->d_tag == DT_RELASZ) m.relocation_size = entry->d_un.d_val;
      if (entry->d_tag == DT_JMPREL) m.calls = reinterpret_cast<const ElfW(Rela)*>(at);
      if (entry->d_tag == DT_PLTRELSZ) m.call_size = entry->d_un.d_val;
    }
  }
  return m;
}

// The kernel's own module has tables that nobody has relocated.
bool has_tables(const Module& m) {
  return m.symbols != nullptr && m.names != nullptr &&
         reinterpret_cast<uintptr_t>(m.symbols) >= m.base;
}

template <typename F>
void each_relocation(const Module& m, F&& f) {
  for (size_t i = 0; i < m.relocation_size / sizeof(ElfW(Rela)); ++i) f(m.relocations[i]);
  for (size_t i = 0; i < m.call_size / sizeof(ElfW(Rela)); ++i) f(m.calls[i]);
}

const char* name_of(const Module& m, const ElfW(Rela) & relocation) {
  return m.names + m.symbols[ELF64_R_SYM(relocation.r_info)].st_name;
}

bool is_instrumented(const Module& m) {
  bool found = false;
  each_relocation(m, [&](const ElfW(Rela) & relocation) {
    found = found || (ELF64_R_SYM(relocation.r_info) != 0 &&
                      strcmp(name_of(m, relocation), "__tsan_init") == 0);
  });
  return found;
}

// --- where imports lead

struct Range {
  uintptr_t start, end;
  bool is_searched;  // what it offers and is not known is named
};
constexpr uint32_t kMostLibraries = 16;
Range libraries[kMostLibraries];
uint32_t library_count;

int find_library(dl_phdr_info* info, size_t, void*) {
  struct Known {
    const char* name;
    bool is_searched;
  };
  constexpr Known kKnown[] = {{"/libc.so", true},   {"/libstdc++.so", true},
                              {"/libm.so", false},  {"/ld-linux", false},
                              {"/libc++.so", true}, {"/libc++abi.so", false}};
  for (const Known& known : kKnown) {
    if (library_count == kMostLibraries || strstr(info->dlpi_name, known.name) == nullptr) continue;
    Range range{UINTPTR_MAX, 0, known.is_searched};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& part = info->dlpi_phdr[i];
      if (part.p_type != PT_LOAD) continue;
      const uintptr_t start = info->dlpi_addr + part.p_vaddr;
      if (start < range.start) range.start = start;
      if (start + part.p_memsz > range.end) range.end = start + part.p_memsz;
    }
    libraries[library_count++] = range;
    break;
  }
  return 0;
}

void find_libraries() {
  library_count = 0;
  dl_iterate_phdr(find_library, nullptr);
  uintptr_t start = 0;
  size_t length = 0;
  if (own_code(start, length) && library_count < kMostLibraries)
    libraries[library_count++] = {start, start + length, true};
}

const Range* library_of(const void* function) {
  const auto at = reinterpret_cast<uintptr_t>(function);
  for (uint32_t i = 0; i < library_count; ++i) {
    if (at - libraries[i].start < libraries[i].end - libraries[i].start) return &libraries[i];
  }
  return nullptr;
}

// --- what is put in their place

const SeenCall* find_seen(const char* symbol) {
  using Table = SeenCalls();
  constexpr Table* kTables[] = {seen_text_calls,      seen_number_calls, seen_stream_calls,
                                seen_system_calls,    seen_thread_calls, seen_format_calls,
                                seen_container_calls, seen_path_calls};
  for (Table* const table : kTables) {
    const SeenCalls all = table();
    for (size_t i = 0; i < all.count; ++i) {
      if (strcmp(all.list[i].symbol, symbol) == 0) return &all.list[i];
    }
  }
  return nullptr;
}

// printf may be imported where vprintf, which ours calls, is not.
void find_format_functions() {
  const SeenCalls all = seen_format_calls();
  for (size_t i = 0; i < all.count; ++i) {
    if (*all.list[i].real == nullptr) *all.list[i].real = dlsym(RTLD_DEFAULT, all.list[i].symbol);
  }
}

void* stub_of(const char* symbol, void* real) {
  for (uint32_t i = 0; i < import_count; ++i) {
    if (imports[i].real == real) return mazurka_import_stubs + i * kStubBytes;
  }
  if (import_count == kStubs) runtime_error("more than 1024 functions of libraries to watch");
  imports[import_count] = {symbol, real};
  return mazurka_import_stubs + kStubBytes * import_count++;
}

// nullptr: nothing.
void* replacement(const char* symbol, void* real, bool is_function) {
  const Range* const library = library_of(real);
  if (library == nullptr) return nullptr;
  if (const SeenCall* const seen = find_seen(symbol)) {
    if (seen->ours == real) return nullptr;
    *seen->real = real;
    return seen->ours;
  }
  if (!is_function || !library->is_searched || is_harmless_import(symbol)) return nullptr;
  return stub_of(symbol, real);
}

// The part of a module that the dynamic linker has made read-only.
struct Protected {
  uintptr_t start, end;
};

Protected read_only_part(const dl_phdr_info& info) {
  constexpr uintptr_t kPage = 4096;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& part = info.dlpi_phdr[i];
    if (part.p_type != PT_GNU_RELRO) continue;
    const uintptr_t start = (info.dlpi_addr + part.p_vaddr) & ~(kPage - 1);
    const uintptr_t end = (info.dlpi_addr + part.p_vaddr + part.p_memsz) & ~(kPage - 1);
    return {start, end};
  }
  return {};
}

void protect(const Protected& part, int protection) {
  if (part.end > part.start)
    raw_syscall(SYS_mprotect, static_cast<long>(part.start),
                static_cast<long>(part.end - part.start), protection);
}

void see_imports_of(const dl_phdr_info& info, const Module& m) {
  const Protected fixed = read_only_part(info);
  protect(fixed, PROT_READ | PROT_WRITE);
  each_relocation(m, [&](const ElfW(Rela) & relocation) {
    const auto type = ELF64_R_TYPE(relocation.r_info);
    const auto number = ELF64_R_SYM(relocation.r_info);
    const bool is_place = type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
                          (type == R_X86_64_64 && relocation.r_addend == 0);
    if (!is_place || number == 0 || m.symbols[number].st_shndx != SHN_UNDEF) return;
    auto** const slot = reinterpret_cast<void**>(m.base + relocation.r_offset);
    const auto kind = ELF64_ST_TYPE(m.symbols[number].st_info);
    if (kind == STT_OBJECT || kind == STT_TLS) return;
    if (void* const ours = replacement(name_of(m, relocation), *slot, kind == STT_FUNC))
      *slot = ours;
  });
  protect(fixed, PROT_READ);
}

int see_module(dl_phdr_info* info, size_t, void*) {
  for (uint32_t i = 0; i < seen_module_count; ++i) {
    if (seen_modules[i] == info->dlpi_addr) return 0;
  }
  const Module m = read_module(*info);
  if (!has_tables(m) || library_of(m.symbols) != nullptr || !is_instrumented(m)) return 0;
  if (seen_module_count < kMostModules) seen_modules[seen_module_count++] = info->dlpi_addr;
  see_imports_of(*info, m);
  return 0;
}

}  // namespace

void see_imports() {
  find_libraries();
  find_format_functions();
  dl_iterate_phdr(see_module, nullptr);
}

void name_unknown_accesses(const char* name, void* caller) {
  if (!may_interleave()) return;
  char text[256];
  snprintf(text, sizeof text, "what %s does to memory", name);
  name_unmodelled(text, {.pc = reinterpret_cast<uint64_t>(caller)});
}

}  // namespace mazurka

using namespace mazurka;

// From a stub: returns where it goes on.
extern "C" __attribute__((visibility("hidden"), used)) void* mazurka_meet_import(
    uint64_t number, const StubFrame* frame, void* caller) {
  const Import& import = imports[number];
  if (may_interleave() && !apply_library_rule(import.symbol, *frame, caller))
    name_unknown_accesses(import.symbol, caller);
  return import.real;
}
