#include "runtime/reset/memory_areas.h"

#include <fcntl.h>

#include <cstring>

#include "runtime/accesses/seen_memory.h"
#include "runtime/core/raw.h"

namespace mazurka {
namespace {

constexpr size_t kStackRoom = size_t{8} << 20;

uintptr_t read_hexadecimal(const char*& at) {
  uintptr_t number = 0;
  for (;; ++at) {
    if (*at >= '0' && *at <= '9') {
      number = number * 16 + static_cast<uintptr_t>(*at - '0');
    } else if (*at >= 'a' && *at <= 'f') {
      number = number * 16 + static_cast<uintptr_t>(*at - 'a' + 10);
    } else {
      return number;
    }
  }
}

bool read_maps(AreaList& list) {
  const long fd =
      raw_syscall(SYS_openat, AT_FDCWD, address_of("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  if (raw_failed(fd)) return false;
  size_t length = 0;
  for (;;) {
    const long got = raw_syscall(SYS_read, fd, address_of(list.text + length),
                                 static_cast<long>(kMapsBytes - 1 - length));
    if (got <= 0) break;
    length += static_cast<size_t>(got);
  }
  raw_syscall(SYS_close, fd);
  list.text[length] = '\0';
  return length > 0 && length < kMapsBytes - 1;
}

// The first thread's stack grows downwards by itself, but not into its neighbour.
uintptr_t lowest_of_stack(uintptr_t end, uintptr_t neighbour) {
  const uintptr_t lowest = end - kStackRoom;
  return lowest < neighbour ? neighbour : lowest;
}

}  // namespace

// Lines look like: 7ffff7fc1000-7ffff7fc5000 rw-p 00000000 00:00 0    [heap]
bool list_areas(AreaList& list) {
  if (!read_maps(list)) return false;
  list.count = 0;
  uintptr_t end_of_last = 0;
  for (const char* at = list.text; *at != '\0';) {
    const uintptr_t start = read_hexadecimal(at);
    ++at;
    const uintptr_t end = read_hexadecimal(at);
    ++at;
    const bool counts = at[0] == 'r' && at[1] == 'w' && at[3] == 'p';
    const char* line_end = strchr(at, '\n');
    if (line_end == nullptr) return false;
    const auto length = static_cast<size_t>(line_end - at);
    const bool from_file = memchr(at, '/', length) != nullptr;
    const bool is_stack = memmem(at, length, "[stack]", 7) != nullptr;
    at = line_end + 1;
    const uintptr_t neighbour = end_of_last;
    end_of_last = end;
    if (!counts || (start >= kShadowAddress && start < kShadowEnd)) continue;
    if (list.count == kMaxAreas) return false;
    list.areas[list.count++] = {is_stack ? lowest_of_stack(end, neighbour) : start, end, start,
                                from_file};
  }
  return true;
}

}  // namespace mazurka
