#include "runtime/reset/memory_image.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/check.h"
#include "runtime/core/raw.h"
#include "runtime/reset/memory_areas.h"
#include "runtime/reset/saved_page.h"
#include "runtime/reset/written_pages.h"

// What libc's functions were found at (REAL in runtime.h). Looking them up again in each execution
// would cost more than the rest.
extern "C" __attribute__((visibility("hidden"))) char __start_mazurka_found[];
extern "C" __attribute__((visibility("hidden"))) char __stop_mazurka_found[];

namespace mazurka {
namespace {

constexpr uint32_t kMaxRanges = 1u << 16;
constexpr uint32_t kMaxNewMappings = 1024;
constexpr size_t kEntries = 8192;  // of the page map, read at a time
// Pages that were written once are copied back ever after: cheaper than a fault. But when they have
// become many, they are watched again after so many executions, so that those which are written
// seldom do not cost every execution a copy.
constexpr size_t kFewBytes = size_t{512} << 10;
constexpr uint32_t kWatchAgainAfter = 64;
constexpr uint32_t kQuietFor = 64;
constexpr uint32_t kLongestQuiet = 1u << 16;

// Pages whose bytes are at `saved`; null: zeroes.
struct Range {
  uintptr_t start;
  size_t length;
  const char* saved;

  uintptr_t end() const { return start + length; }
};

// In shared memory, so that it is no part of the image itself.
struct Image {
  AreaList list;
  Range saved[kMaxRanges];  // what was there, by address
  uint32_t saved_count;
  Range restored[kMaxRanges];  // what is copied back after each execution
  uint32_t restored_count;
  size_t restored_bytes;
  Range new_mappings[kMaxNewMappings];
  uint32_t new_mapping_count;
  bool watches;        // the kernel tells which pages were written
  bool lost_count;     // there were more new mappings than we could note
  long faults;         // of this process, when all its pages were known
  uint32_t quiet;      // executions since they became more
  uint32_t quiet_for;  // so many, before the faults are not counted after each
  uint32_t executions_since_watched;
  PageRun runs[kMaxRanges];  // what may have been written: see find_written
  uint32_t run_count;
  uint64_t entries[kEntries];
  char* arena;
  size_t arena_used;
  PartsInUse*
      parts;  // by page of the arena: which of its parts are in use, once it is to be copied back
  bool has_wide_vectors;
  bool found_more;  // functions, in this execution
  char* found;      // where the bytes of __start_mazurka_found are saved; null: they are not kept
};
Image* image;

void* map_shared(size_t bytes) {
  const long address = raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return raw_failed(address) ? nullptr : reinterpret_cast<void*>(address);
}

// Not memcpy and memset: programs bring their own.
void copy(void* to, const void* from, size_t bytes) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

// There is only one kernel thread while an execution runs.
long count_faults() {
  rusage usage;
  raw_syscall(SYS_getrusage, RUSAGE_THREAD, address_of(&usage));
  return usage.ru_minflt + usage.ru_majflt;
}

// --- what is there

int open_page_map() {
  return static_cast<int>(
      raw_syscall(SYS_openat, AT_FDCWD, address_of("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC));
}

bool add_run(uintptr_t start, uintptr_t end) {
  if (image->run_count == kMaxRanges) return false;
  image->runs[image->run_count++] = {start, end, 0};
  return true;
}

// Adds each run of pages of the area that are there. False if they are too many, or the kernel says
// no.
bool add_resident_runs(int page_map, const Area& area) {
  constexpr uint64_t kPresent = (uint64_t{1} << 63) | (uint64_t{1} << 62);  // or swapped out
  uintptr_t run = 0;
  for (uintptr_t at = area.start; at < area.end; at += kEntries * kPage) {
    const size_t left = (area.end - at) / kPage;
    const size_t count = left < kEntries ? left : kEntries;
    const long got = raw_syscall(SYS_pread64, page_map, address_of(image->entries),
                                 static_cast<long>(count * 8), static_cast<long>(at / kPage * 8));
    if (got != static_cast<long>(count * 8)) return false;
    for (size_t i = 0; i < count; ++i) {
      const uintptr_t page = at + i * kPage;
      const bool there = (image->entries[i] & kPresent) != 0;
      if (there && run == 0) run = page;
      if (!there && run != 0) {
        if (!add_run(run, page)) return false;
        run = 0;
      }
    }
  }
  return run == 0 || add_run(run, area.end);
}

bool find_resident() {
  image->run_count = 0;
  const int page_map = open_page_map();
  if (page_map < 0) return false;
  bool good = true;
  for (uint32_t i = 0; i < image->list.count && good; ++i)
    good = add_resident_runs(page_map, image->list.areas[i]);
  raw_syscall(SYS_close, page_map);
  return good;
}

// --- taking the image

// Pages of files that were not read yet have contents that we could not know later.
void read_pages_of_files() {
  for (uint32_t i = 0; i < image->list.count; ++i) {
    const Area& area = image->list.areas[i];
    if (!area.from_file) continue;
    for (uintptr_t page = area.start; page < area.end; page += kPage) {
      static_cast<void>(*reinterpret_cast<volatile char*>(page));
    }
  }
}

bool save(const PageRun& run) {
  const size_t length = run.end - run.start;
  const size_t limit = image->watches ? kMaxImageBytes : kMaxCopiedBytes;
  if (length > limit - image->arena_used) return false;
  char* saved = image->arena + image->arena_used;
  image->arena_used += length;
  copy(saved, reinterpret_cast<void*>(run.start), length);
  image->saved[image->saved_count++] = {run.start, length, saved};
  return !image->watches || watch_pages(run.start, run.end);
}

bool save_what_is_there() {
  if (!find_resident()) return false;
  for (uint32_t i = 0; i < image->run_count; ++i) {
    if (!save(image->runs[i])) return false;
  }
  return true;
}

bool can_watch() {
  if (!open_written_pages()) return false;
  for (uint32_t i = 0; i < image->list.count; ++i) {
    if (!register_mapping(image->list.areas[i].mapped_from, image->list.areas[i].end)) return false;
  }
  return true;
}

bool make_room() {
  if (image != nullptr) return true;
  auto* room = static_cast<Image*>(map_shared(sizeof(Image)));
  if (room == nullptr) return false;
  room->arena = static_cast<char*>(map_shared(kMaxImageBytes));
  room->parts = static_cast<PartsInUse*>(map_shared(kMaxImageBytes / kPage * sizeof(PartsInUse)));
  if (room->arena == nullptr || room->parts == nullptr) return false;
  room->quiet_for = kQuietFor;
  room->has_wide_vectors = __builtin_cpu_supports("avx2");
  image = room;
  return true;
}

// Null if they are not all in one range.
char* saved_place_of(const char* begin, const char* end) {
  const auto start = reinterpret_cast<uintptr_t>(begin);
  const auto stop = reinterpret_cast<uintptr_t>(end);
  for (uint32_t i = 0; i < image->saved_count; ++i) {
    const Range& range = image->saved[i];
    if (range.start <= start && stop <= range.end())
      return image->arena + (range.saved - image->arena) + (start - range.start);
  }
  return nullptr;
}

// --- the way back

// What may have been written since the image was taken; what is sure to be as it was is left out.
bool find_written() {
  if (!image->watches) return find_resident();
  if (image->list.count == 0) return false;
  const Area& last = image->list.areas[image->list.count - 1];
  const long count = written_pages(image->list.areas[0].start, last.end, image->runs, kMaxRanges);
  image->run_count = count < 0 ? 0 : static_cast<uint32_t>(count);
  return count >= 0;
}

PartsInUse& parts_of(const char* saved) {
  return image->parts[static_cast<size_t>(saved - image->arena) / kPage];
}

// Functions that are found are saved later than all the rest.
void note_parts(const char* saved) {
  const char* const found_end = image->found + (__stop_mazurka_found - __start_mazurka_found);
  const bool may_change =
      image->found != nullptr && saved < found_end && image->found < saved + kPage;
  parts_of(saved) = may_change ? UINT16_MAX : parts_in_use(saved);
}

bool add_restored(uintptr_t start, uintptr_t end, const char* saved) {
  if (image->restored_count == kMaxRanges) return false;
  for (size_t at = 0; saved != nullptr && at < end - start; at += kPage) note_parts(saved + at);
  image->restored[image->restored_count++] = {start, end - start, saved};
  image->restored_bytes += end - start;
  return true;
}

// Anonymous pages that were not there at the image are zeroes in it. `next` is the first saved
// range that ends behind the run's start.
bool restore_run(const PageRun& run, uint32_t next) {
  for (uintptr_t at = run.start; at < run.end;) {
    while (next < image->saved_count && image->saved[next].end() <= at) ++next;
    const bool none_left = next == image->saved_count || image->saved[next].start >= run.end;
    const Range* saved = none_left ? nullptr : &image->saved[next];
    const bool in_it = saved != nullptr && saved->start <= at;
    uintptr_t stop = run.end;
    if (in_it && saved->end() < stop) stop = saved->end();
    if (!in_it && saved != nullptr) stop = saved->start;
    if (!add_restored(at, stop, in_it ? saved->saved + (at - saved->start) : nullptr)) return false;
    at = stop;
  }
  return true;
}

// Both lists are by address.
bool learn_written_pages() {
  if (!find_written()) return false;
  image->restored_count = 0;
  image->restored_bytes = 0;
  uint32_t next = 0;
  for (uint32_t i = 0; i < image->run_count; ++i) {
    while (next < image->saved_count && image->saved[next].end() <= image->runs[i].start) ++next;
    if (!restore_run(image->runs[i], next)) return false;
  }
  return true;
}

MAZURKA_INLINE void restore_pages() {
  for (uint32_t i = 0; i < image->restored_count; ++i) {
    const Range& range = image->restored[i];
    for (size_t at = 0; at < range.length; at += kPage) {
      const char* saved = range.saved != nullptr ? range.saved + at : nullptr;
      restore_page(reinterpret_cast<char*>(range.start + at), saved,
                   saved != nullptr ? parts_of(saved) : 0);
    }
  }
}

__attribute__((target("avx2"))) void restore_pages_by_wide_vectors() { restore_pages(); }

void keep_found() {
  image->found_more = false;
  if (image->found == nullptr) return;
  copy(image->found, __start_mazurka_found,
       static_cast<size_t>(__stop_mazurka_found - __start_mazurka_found));
}

void copy_back() {
  if (image->found_more) keep_found();
  if (image->has_wide_vectors) return restore_pages_by_wide_vectors();
  restore_pages();
}

// Requires that they have their old bytes.
bool watch_again() {
  image->executions_since_watched = 0;
  for (uint32_t i = 0; i < image->restored_count; ++i) {
    if (!watch_pages(image->restored[i].start, image->restored[i].end())) return false;
  }
  image->restored_count = 0;
  image->restored_bytes = 0;
  return true;
}

bool drop_new_mappings() {
  for (uint32_t i = 0; i < image->new_mapping_count; ++i) {
    const Range& mapping = image->new_mappings[i];
    raw_syscall(SYS_munmap, static_cast<long>(mapping.start), static_cast<long>(mapping.length));
  }
  image->new_mapping_count = 0;
  return !image->lost_count;
}

}  // namespace

bool take_image() {
  if (!make_room()) return false;
  image->saved_count = 0;
  image->restored_count = 0;
  image->restored_bytes = 0;
  image->executions_since_watched = 0;
  image->arena_used = 0;
  image->new_mapping_count = 0;
  image->lost_count = false;
  if (!list_areas(image->list)) return false;
  image->watches = can_watch();
  read_pages_of_files();
  if (!save_what_is_there()) return false;
  image->found = saved_place_of(__start_mazurka_found, __stop_mazurka_found);
  image->faults = -1;  // after the first execution we look in any case
  image->quiet = 0;
  return true;
}

bool may_take_image() {
  MAZURKA_CHECK(image != nullptr);
  if (!list_areas(image->list) || !find_resident()) return false;
  size_t bytes = 0;
  for (uint32_t i = 0; i < image->run_count; ++i)
    bytes += image->runs[i].end - image->runs[i].start;
  return bytes <= (image->watches ? kMaxImageBytes : kMaxCopiedBytes) / 2;
}

namespace {

bool has_many_pages() { return image->watches && image->restored_bytes > kFewBytes; }

}  // namespace

bool restore_known_pages() {
  if (image->quiet < image->quiet_for || image->new_mapping_count > 0 || has_many_pages())
    return false;
  copy_back();
  return true;
}

bool has_missed_pages() {
  if (count_faults() == image->faults) return false;
  if (image->quiet_for < kLongestQuiet) image->quiet_for *= 2;
  return true;
}

bool restore_image() {
  if (!drop_new_mappings()) return false;
  const bool new_pages = count_faults() != image->faults;
  if (new_pages && !learn_written_pages()) return false;
  copy_back();
  image->quiet = new_pages ? 0 : image->quiet + 1;
  if (has_many_pages() && ++image->executions_since_watched >= kWatchAgainAfter && !watch_again())
    return false;
  if (new_pages) image->faults = count_faults();
  return true;
}

void note_found_function() {
  if (image != nullptr) image->found_more = true;
}

void note_new_mapping(uintptr_t start, size_t length) {
  if (image == nullptr) return;
  if (image->new_mapping_count == kMaxNewMappings) {
    image->lost_count = true;
    return;
  }
  image->new_mappings[image->new_mapping_count++] = {start, length, nullptr};
}

}  // namespace mazurka
