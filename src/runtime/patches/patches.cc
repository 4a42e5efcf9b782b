#include "runtime/patches/patches.h"

#include <link.h>
#include <sys/mman.h>

#include <cstring>

#include "runtime/accesses/seen_memory.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/patches/access_watch.h"
#include "runtime/patches/code_room.h"
#include "runtime/patches/patch_trap.h"
#include "runtime/patches/trampoline.h"
#include "runtime/patches/vector_state.h"

extern "C" __attribute__((visibility("hidden"))) void mazurka_patched_entry();

namespace mazurka {

bool modules_may_be_new;

namespace {

constexpr uint32_t kMaxPatchedModules = 256;

// One module that was patched. Its patches, and the trampolines behind them, lie in memory that is
// not written again.
struct PatchedModule {
  uint64_t base;
  uint64_t start;
  uint64_t end;
  const Patch* patches;  // by address
  uint32_t count;
  uint32_t first_number;
};

// What a reset in place brings back is as it was when the image was taken: modules that were loaded
// before.
PatchedModule modules[kMaxPatchedModules];
uint32_t module_count;
uint32_t patch_count;

const ScannedModule* scan_of(const char* path) {
  const Segment& s = segment();
  for (uint32_t i = 0; i < s.scanned_count && i < kMaxScannedModules; ++i) {
    if (strcmp(s.kept_text + s.scanned[i].path, path) == 0) return &s.scanned[i];
  }
  return nullptr;
}

// The tool waits for one of two words, whichever it is that the program is doing.
const ScannedModule* ask_for_scan(const char* path) {
  if (const ScannedModule* known = scan_of(path)) return known;
  uint32_t& word = segment().control.wanted_scan;
  const uint32_t text = keep_text(path);
  if (text == 0) return nullptr;
  __atomic_store_n(&word, text, __ATOMIC_RELEASE);
  raw_futex_wake(segment().control.ready);
  raw_futex_wake(segment().control.done);
  while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) != 0) raw_futex_wait(word, text);
  return scan_of(path);
}

void replace(const Patch& patch) {
  // Traps are the debugger's own, if there is one; this is no instruction, and a signal of its own.
  constexpr uint8_t kNoInstruction = 0x06;
  const uint8_t trap = segment().control.direct != 0 ? kNoInstruction : 0xcc;
  auto* const at = reinterpret_cast<uint8_t*>(patch.address);
  if (patch.site.span == 0) {
    *at = trap;
  } else {
    write_jump(at, patch.address, patch.site, patch.code);
  }
}

// Requires that the sites are in order.
bool patch_sites(PatchedModule& module, const ScannedModule& scan) {
  const PatchSite* const sites = segment().sites + scan.begin;
  const uint64_t table = sizeof(Patch) * scan.count + sizeof(uint64_t);
  const uint64_t size = round_up_to_page(table + uint64_t{kLongestTrampoline} * scan.count);
  uint8_t* const room = room_near(module.start, module.end, size);
  if (room == nullptr) return false;
  auto* const entry = reinterpret_cast<uint64_t*>(room);
  auto* const patches = reinterpret_cast<Patch*>(room + sizeof *entry);
  *entry = reinterpret_cast<uint64_t>(&mazurka_patched_entry);
  uint8_t* to = room + table;
  for (uint32_t i = 0; i < scan.count; ++i) {
    const uint64_t address = module.base + sites[i].address;
    const Trampoline made = write_trampoline(to, address, sites[i], patch_count + i, entry);
    patches[i] = {address, made.code, made.rest, sites[i]};
    to += made.end - made.code;
  }
  raw_syscall(SYS_mprotect, address_of(room), static_cast<long>(size), PROT_READ | PROT_EXEC);
  module.patches = patches;
  module.count = scan.count;
  module.first_number = patch_count;
  patch_count += scan.count;
  const uint64_t last = patches[scan.count - 1].address + patches[scan.count - 1].site.span + 1;
  const WritableCode writable(patches[0].address, last);
  if (!writable.good()) return false;
  for (uint32_t i = 0; i < scan.count; ++i) replace(patches[i]);
  return true;
}

void patch_module(PatchedModule& module, const char* path) {
  const ScannedModule* const scan = ask_for_scan(path);
  if (scan == nullptr) return;
  if (scan->unsure_count != 0) {
    name_unmodelled(kUnsureInstructions, {.pc = module.base + scan->unsure + 1});
  }
  watch_module(module.base, module.start, module.end, *scan);
  if (scan->count == 0) return;
  if (!patch_sites(module, *scan)) {
    name_unmodelled(kNotReplaced, {.pc = module.base + segment().sites[scan->begin].address + 1});
  }
}

bool is_known(uint64_t base, uint64_t start) {
  for (uint32_t i = 0; i < module_count; ++i) {
    if (modules[i].base == base && modules[i].start == start) return true;
  }
  return false;
}

int meet_module(dl_phdr_info* info, size_t, void*) {
  PatchedModule module{};
  module.base = info->dlpi_addr;
  module.start = ~uint64_t{0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const uint64_t start = info->dlpi_addr + header.p_vaddr;
    if (start < module.start) module.start = start;
    if (start + header.p_memsz > module.end) module.end = start + header.p_memsz;
  }
  if (is_known(module.base, module.start) || module_count == kMaxPatchedModules) return 0;
  char path[4096];
  const char* name = info->dlpi_name;
  if (name == nullptr || *name == '\0') {  // the executable itself
    const long length =
        raw_syscall(SYS_readlink, address_of("/proc/self/exe"), address_of(path), sizeof path - 1);
    if (raw_failed(length)) return 0;
    path[length] = '\0';
    name = path;
  }
  if (*name == '/') patch_module(module, name);
  modules[module_count++] = module;
  return 0;
}

}  // namespace

bool atomics_are_seen() { return segment().control.atomics_are_seen != 0; }

void patch_modules() {
  const bool is_late = modules_may_be_new;
  modules_may_be_new = false;
  const bool wanted = static_cast<Atomics>(segment().control.atomics) == Atomics::Seen;
  if (!wanted || !prepare_vectors()) return;
  RuntimeHeap own;
  const uint32_t before = patch_count;
  dl_iterate_phdr(meet_module, nullptr);
  // Also for loops that are not known yet.
  if (patch_count != 0 || segment().control.direct == 0) catch_patch_traps();
  if (patch_count == before) return;
  // What the thread did there since it loaded the library was not seen.
  if (is_late && !world().alone(state.current)) name_unmodelled(kReplacedLate, {});
  segment().control.atomics_are_seen = 1;
  see_variables();
}

const Patch& patch_number(uint64_t number) {
  uint32_t i = 0;
  while (number - modules[i].first_number >= modules[i].count) ++i;
  return modules[i].patches[number - modules[i].first_number];
}

const Patch* patch_at(uint64_t address) {
  for (uint32_t i = 0; i < module_count; ++i) {
    const PatchedModule& module = modules[i];
    if (address - module.start >= module.end - module.start) continue;
    uint32_t low = 0;
    uint32_t high = module.count;
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (module.patches[middle].address < address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < module.count && module.patches[low].address == address) return &module.patches[low];
  }
  return nullptr;
}

}  // namespace mazurka
