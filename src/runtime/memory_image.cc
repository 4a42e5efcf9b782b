#include "runtime/memory_image.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstring>

#include "runtime/raw.h"

namespace mazurka {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kStackRoom = size_t{8} << 20;
constexpr uint32_t kMaxRanges = 8192;
constexpr uint32_t kMaxAreas = 1024;
constexpr uint32_t kMaxNewMappings = 1024;
constexpr size_t kMapsBytes = size_t{1} << 18;
constexpr size_t kEntries = 8192;  // of the page map, read at a time

// Pages that are restored: to `saved`, or to zeroes.
struct Range {
  uintptr_t start;
  size_t length;
  char* saved;
};

// A private writable mapping.
struct Area {
  uintptr_t start;
  uintptr_t end;
  bool from_file;
};

// In shared memory, so that it is no part of the image itself.
struct Image {
  Range ranges[kMaxRanges];
  uint32_t range_count;
  Area areas[kMaxAreas];
  uint32_t area_count;
  Range new_mappings[kMaxNewMappings];
  uint32_t new_mapping_count;
  long faults;  // of this process, when all its pages were known
  char maps[kMapsBytes];
  uint64_t entries[kEntries];
  char* arena;
  size_t arena_used;
};
Image* image;

void* map_shared(size_t bytes) {
  const long address = raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return raw_failed(address) ? nullptr : reinterpret_cast<void*>(address);
}

long count_faults() {
  rusage usage;
  raw_syscall(SYS_getrusage, RUSAGE_SELF, address_of(&usage));
  return usage.ru_minflt + usage.ru_majflt;
}

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

bool read_maps() {
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, address_of("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  if (raw_failed(fd)) return false;
  size_t length = 0;
  for (;;) {
    const long got = raw_syscall(SYS_read, fd, address_of(image->maps + length), static_cast<long>(kMapsBytes - 1 - length));
    if (got <= 0) break;
    length += static_cast<size_t>(got);
  }
  raw_syscall(SYS_close, fd);
  image->maps[length] = '\0';
  return length > 0 && length < kMapsBytes - 1;
}

// Lines look like: 7ffff7fc1000-7ffff7fc5000 rw-p 00000000 00:00 0    [heap]
bool list_areas() {
  if (!read_maps()) return false;
  image->area_count = 0;
  for (const char* at = image->maps; *at != '\0';) {
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
    if (!counts) continue;
    if (image->area_count == kMaxAreas) return false;
    // The first thread's stack grows downwards by itself.
    image->areas[image->area_count++] = {is_stack ? end - kStackRoom : start, end, from_file};
  }
  return true;
}

const Range* range_at(uintptr_t page) {
  for (uint32_t i = 0; i < image->range_count; ++i) {
    if (page - image->ranges[i].start < image->ranges[i].length) return &image->ranges[i];
  }
  return nullptr;
}

bool add_range(uintptr_t start, size_t length, bool save) {
  char* saved = nullptr;
  if (save) {
    if (image->arena_used + length > kMaxImageBytes) return false;
    saved = image->arena + image->arena_used;
    image->arena_used += length;
    memcpy(saved, reinterpret_cast<void*>(start), length);
  }
  if (image->range_count == kMaxRanges) return false;
  image->ranges[image->range_count++] = {start, length, saved};
  return true;
}

// Calls f(start, length) for each run of pages of the area that are there. False if f or the kernel says no.
template <typename F>
bool each_resident_run(int page_map, const Area& area, F f) {
  constexpr uint64_t kPresent = (uint64_t{1} << 63) | (uint64_t{1} << 62);  // or swapped out
  uintptr_t run = 0;
  for (uintptr_t at = area.start; at < area.end; at += kEntries * kPage) {
    const size_t left = (area.end - at) / kPage;
    const size_t count = left < kEntries ? left : kEntries;
    const long got = raw_syscall(SYS_pread64, page_map, address_of(image->entries), static_cast<long>(count * 8),
                                 static_cast<long>(at / kPage * 8));
    if (got != static_cast<long>(count * 8)) return false;
    for (size_t i = 0; i < count; ++i) {
      const uintptr_t page = at + i * kPage;
      const bool there = (image->entries[i] & kPresent) != 0;
      if (there && run == 0) run = page;
      if (!there && run != 0) {
        if (!f(run, page - run)) return false;
        run = 0;
      }
    }
  }
  return run == 0 || f(run, area.end - run);
}

int open_page_map() {
  return static_cast<int>(raw_syscall(SYS_openat, AT_FDCWD, address_of("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC));
}

// Pages of files that were not read yet have contents that we could not know later.
void read_pages_of_files() {
  for (uint32_t i = 0; i < image->area_count; ++i) {
    if (!image->areas[i].from_file) continue;
    for (uintptr_t page = image->areas[i].start; page < image->areas[i].end; page += kPage) {
      static_cast<void>(*reinterpret_cast<volatile char*>(page));
    }
  }
}

bool save_resident_pages() {
  const int page_map = open_page_map();
  if (page_map < 0) return false;
  bool good = true;
  for (uint32_t i = 0; i < image->area_count && good; ++i) {
    good = each_resident_run(page_map, image->areas[i],
                             [](uintptr_t start, size_t length) { return add_range(start, length, true); });
  }
  raw_syscall(SYS_close, page_map);
  return good;
}

// Anonymous pages that were not there at the image are zeroes in it.
bool learn_new_pages() {
  const int page_map = open_page_map();
  if (page_map < 0) return false;
  bool good = true;
  for (uint32_t i = 0; i < image->area_count && good; ++i) {
    good = each_resident_run(page_map, image->areas[i], [](uintptr_t start, size_t length) {
      for (uintptr_t page = start; page < start + length; page += kPage) {
        if (range_at(page) == nullptr && !add_range(page, kPage, false)) return false;
      }
      return true;
    });
  }
  raw_syscall(SYS_close, page_map);
  return good;
}

void copy_back() {
  for (uint32_t i = 0; i < image->range_count; ++i) {
    const Range& range = image->ranges[i];
    void* to = reinterpret_cast<void*>(range.start);
    if (range.saved != nullptr) {
      memcpy(to, range.saved, range.length);
    } else {
      memset(to, 0, range.length);
    }
  }
}

void drop_new_mappings() {
  for (uint32_t i = 0; i < image->new_mapping_count; ++i) {
    const Range& mapping = image->new_mappings[i];
    raw_syscall(SYS_munmap, static_cast<long>(mapping.start), static_cast<long>(mapping.length));
  }
  image->new_mapping_count = 0;
}

}  // namespace

bool take_image() {
  if (image == nullptr) {
    image = static_cast<Image*>(map_shared(sizeof(Image)));
    if (image == nullptr) return false;
    image->arena = static_cast<char*>(map_shared(kMaxImageBytes));
    if (image->arena == nullptr) return false;
  }
  image->range_count = 0;
  image->arena_used = 0;
  image->new_mapping_count = 0;
  if (!list_areas()) return false;
  read_pages_of_files();
  if (!save_resident_pages()) return false;
  image->faults = -1;  // after the first execution we look in any case
  return true;
}

bool restore_image() {
  drop_new_mappings();
  const long faults = count_faults();
  if (faults != image->faults) {
    if (!learn_new_pages()) return false;
    copy_back();
    image->faults = count_faults();
    return true;
  }
  copy_back();
  return true;
}

void note_new_mapping(uintptr_t start, size_t length) {
  if (image == nullptr || image->new_mapping_count == kMaxNewMappings) return;
  image->new_mappings[image->new_mapping_count++] = {start, length, nullptr};
}

}  // namespace mazurka
