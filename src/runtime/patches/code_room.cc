#include "runtime/patches/code_room.h"

#include <sys/mman.h>

#include "runtime/core/raw.h"

namespace mazurka {

uint8_t* room_near(uint64_t start, uint64_t end, uint64_t size) {
  constexpr uint64_t kStep = uint64_t{1} << 20;
  constexpr uint64_t kReach = uint64_t{1} << 30;
  const auto try_at = [&](uint64_t wanted) -> uint8_t* {
    const long got = raw_syscall(SYS_mmap, static_cast<long>(wanted), static_cast<long>(size),
                                 PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (raw_failed(got)) return nullptr;
    if (static_cast<uint64_t>(got) == wanted) return reinterpret_cast<uint8_t*>(got);
    raw_syscall(SYS_munmap, got, static_cast<long>(size));
    return nullptr;
  };
  for (uint64_t distance = kStep; distance < kReach; distance += kStep) {
    const uint64_t below = start / kStep * kStep - round_up_to_page(size) - distance;
    if (distance < start && below < start) {
      if (uint8_t* const found = try_at(below)) return found;
    }
    if (uint8_t* const found = try_at(round_up_to_page(end) + distance)) return found;
  }
  return nullptr;
}

WritableCode::WritableCode(uint64_t begin, uint64_t end)
    : begin_(begin & ~uint64_t{4095}), size_(round_up_to_page(end) - begin_) {
  protect(PROT_READ | PROT_WRITE | PROT_EXEC);
}

WritableCode::~WritableCode() { protect(PROT_READ | PROT_EXEC); }

void WritableCode::protect(long how) {
  good_ = raw_syscall(SYS_mprotect, static_cast<long>(begin_), static_cast<long>(size_), how) == 0;
}

}  // namespace mazurka
