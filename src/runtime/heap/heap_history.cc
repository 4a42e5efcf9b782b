#include "runtime/heap/heap_history.h"

#include <execinfo.h>
#include <link.h>
#include <sys/mman.h>

#include <cstring>

#include "runtime/core/raw.h"
#include "runtime/core/state.h"

namespace mazurka {

bool history_is_kept;

namespace {

// A fixed place, between the stacks and the heaps: addresses that the kernel chooses must not
// depend on it.
constexpr long kTableAddress = 0x6400'0000'0000;
constexpr uint32_t kEntries = 1u << 16;
constexpr int kMostFrames = 32;

BlockHistory* table;
bool is_busy;  // a backtrace may allocate

struct CodeRange {
  uintptr_t start, end;
};
// libc, its loader and the unwinder: they allocate in the middle of things that a backtrace needs.
CodeRange delicate[8];
int delicate_count;

int add_delicate(dl_phdr_info* info, size_t, void*) {
  constexpr const char* kNames[] = {"/libc.so", "/ld-linux", "/libgcc_s"};
  bool counts = false;
  for (const char* name : kNames) counts = counts || strstr(info->dlpi_name, name) != nullptr;
  for (int i = 0; counts && i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0 || delicate_count == 8) continue;
    delicate[delicate_count++] = {start, start + header.p_memsz};
  }
  return 0;
}

bool is_delicate(uintptr_t pc) {
  for (int i = 0; i < delicate_count; ++i) {
    if (pc >= delicate[i].start && pc < delicate[i].end) return true;
  }
  return false;
}

CallStack stack_from(const void* caller) {
  CallStack stack{};
  stack.frames[0] = reinterpret_cast<uint64_t>(caller);
  if (is_delicate(reinterpret_cast<uintptr_t>(caller))) return stack;
  is_busy = true;
  void* frames[kMostFrames];
  const int count = backtrace(frames, kMostFrames);
  is_busy = false;
  int first = 0;
  while (first < count && frames[first] != caller) ++first;
  for (int i = 0; i < kHistoryFrames && first + i < count; ++i) {
    stack.frames[i] = reinterpret_cast<uint64_t>(frames[first + i]);
  }
  return stack;
}

// Where the block's entry is, or would be. A full table forgets.
BlockHistory& entry_of(const void* block) {
  const uint64_t hash = reinterpret_cast<uint64_t>(block) / 16 * 0x9e37'79b9'7f4a'7c15;
  const auto home = static_cast<uint32_t>(hash >> 48);
  for (uint32_t i = 0; i < 16; ++i) {
    BlockHistory& entry = table[(home + i) % kEntries];
    if (entry.block == nullptr || entry.block == block) return entry;
  }
  return table[home];
}

}  // namespace

void keep_history() {
  if (history_is_kept) return;
  const long mapped =
      raw_syscall(SYS_mmap, kTableAddress, kEntries * sizeof(BlockHistory), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (raw_failed(mapped)) return;
  table = reinterpret_cast<BlockHistory*>(mapped);
  dl_iterate_phdr(add_delicate, nullptr);
  history_is_kept = true;
}

void note_allocated(const void* block, const void* caller) {
  if (is_busy || block == nullptr) return;
  RuntimeHeap own;
  entry_of(block) = {block, kNoThread, stack_from(caller), {}};
}

void note_freed(const void* block, const void* caller) {
  if (is_busy || block == nullptr) return;
  RuntimeHeap own;
  BlockHistory& entry = entry_of(block);
  if (entry.block != block) entry = {block, kNoThread, {}, {}};
  entry.freed_by = state.current;
  entry.freed = stack_from(caller);
}

const BlockHistory* history_of(const void* block) {
  if (!history_is_kept) return nullptr;
  const BlockHistory& entry = entry_of(block);
  return entry.block == block ? &entry : nullptr;
}

}  // namespace mazurka
