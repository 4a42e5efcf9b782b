#include "runtime/heap/stale_addresses.h"

#include <link.h>
#include <sys/uio.h>

#include <cstring>

#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/heap/heap_block.h"
#include "runtime/heap/heap_space.h"
#include "runtime/reset/memory_image.h"

namespace mazurka {
namespace {

constexpr uint64_t kMostBytes = uint64_t{4} << 20;
constexpr uint32_t kMostLooks = 64;
__attribute__((section("mazurka_found"))) uint32_t looks = 0;

struct Search {
  uintptr_t wanted;
  uint64_t bytes;
  bool is_found;
};

// What cannot be read is left out.
void search(Search& s, uintptr_t begin, uintptr_t end) {
  uintptr_t words[64];
  begin = (begin + sizeof *words - 1) & ~(sizeof *words - 1);
  while (!s.is_found && begin + sizeof *words <= end && s.bytes < kMostBytes) {
    const uintptr_t size =
        end - begin < sizeof words ? (end - begin) & ~(sizeof *words - 1) : sizeof words;
    const iovec here{words, size};
    const iovec there{pointer_to<void>(begin), size};
    if (raw_syscall(SYS_process_vm_readv, raw_syscall(SYS_getpid), address_of(&here), 1,
                    address_of(&there), 1, 0) != static_cast<long>(size))
      return;
    for (uintptr_t i = 0; i < size / sizeof *words; ++i) s.is_found |= words[i] == s.wanted;
    begin += size;
    s.bytes += size;
  }
}

// The libraries' own data is not the program's.
bool is_of_the_system(const char* path) {
  constexpr const char* kNames[] = {"/libstdc++.so", "/libgcc_s.so", "/libc.so",      "/libm.so",
                                    "/ld-linux",     "/libc++",      "/libmazurka_rt"};
  for (const char* name : kNames) {
    if (strstr(path, name) != nullptr) return true;
  }
  return false;
}

int search_module(dl_phdr_info* info, size_t, void* found) {
  auto& s = *static_cast<Search*>(found);
  if (is_of_the_system(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_W) == 0) continue;
    const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    search(s, begin, begin + part.p_memsz);
  }
  return s.is_found;
}

}  // namespace

bool is_address_kept(uintptr_t address) {
  if (looks == kMostLooks) return false;
  ++looks;
  note_found_function();  // it stays
  Search s{address, 0, false};
  dl_iterate_phdr(search_module, &s);
  if (s.is_found) return true;
  each_arena([&](const Arena* arena) {
    each_young_block(arena, [&](Block* block) {
      if (!has_seal(block, kAllocatedSeal)) return true;
      const auto begin = reinterpret_cast<uintptr_t>(data_of(block));
      search(s, begin, begin + size_in(block->word));
      return !s.is_found && s.bytes < kMostBytes;
    });
  });
  return s.is_found;
}

}  // namespace mazurka
