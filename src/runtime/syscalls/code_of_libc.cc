#include "runtime/syscalls/code_of_libc.h"

#include <link.h>

#include <cstring>

namespace mazurka {
namespace {

constexpr const char* kBeginnings[] = {
    "libc.so",   "libc-",      "ld-linux", "ld-2",    "libpthread", "librt",   "libanl",
    "libresolv", "linux-vdso", "libasan",  "libtsan", "liblsan",    "libubsan"};

struct Range {
  uint64_t start;
  uint64_t end;
};
constexpr uint32_t kMostRanges = 16;
Range ranges[kMostRanges];
uint32_t range_count;

bool is_of_libc(const char* path) {
  const char* const slash = strrchr(path, '/');
  const char* const name = slash == nullptr ? path : slash + 1;
  for (const char* beginning : kBeginnings) {
    if (strncmp(name, beginning, strlen(beginning)) == 0) return true;
  }
  return false;
}

int note_module(dl_phdr_info* info, size_t, void*) {
  if (!is_of_libc(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum && range_count < kMostRanges; ++i) {
    const auto& part = info->dlpi_phdr[i];
    const uint64_t start = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
      ranges[range_count++] = {start, start + part.p_memsz};
  }
  return 0;
}

}  // namespace

void find_code_of_libc() {
  if (range_count == 0) dl_iterate_phdr(note_module, nullptr);
}

bool is_code_of_libc(uint64_t pc) {
  for (uint32_t i = 0; i < range_count; ++i) {
    if (pc >= ranges[i].start && pc <= ranges[i].end) return true;
  }
  return false;
}

}  // namespace mazurka
