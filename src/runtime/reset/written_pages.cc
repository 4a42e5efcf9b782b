#include "runtime/reset/written_pages.h"

#include <fcntl.h>
#include <linux/ioctl.h>
#include <linux/userfaultfd.h>

#include "runtime/core/raw.h"

namespace mazurka {
namespace {

// From linux/fs.h and linux/userfaultfd.h of 6.7: the headers here may be older.
struct ScanArguments {
  uint64_t size, flags, start, end, walk_end, runs, most_runs, most_pages;
  uint64_t inverted, all_of, any_of, returned;
};
constexpr unsigned long kPagemapScan = _IOWR('f', 16, ScanArguments);
constexpr uint64_t kWatchable = 1, kWritten = 2, kPresent = 8, kSwapped = 16, kZeroPage = 32;
constexpr uint64_t kWpUnpopulated = 1 << 13, kWpAsync = 1 << 15;
constexpr int kUserModeOnly = 1;
constexpr int kFirstFd = 400;

// Set once, before the image is taken: part of it.
int userfault_fd = -1;
int page_map_fd = -1;

int move_up(long fd) {
  if (raw_failed(fd)) return -1;
  const long high = raw_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kFirstFd);
  raw_syscall(SYS_close, fd);
  return raw_failed(high) ? -1 : static_cast<int>(high);
}

bool ask(int fd, unsigned long request, void* argument) {
  return !raw_failed(raw_syscall(SYS_ioctl, fd, static_cast<long>(request), address_of(argument)));
}

bool has_features() {
  uffdio_api api{};
  api.api = UFFD_API;
  api.features = kWpUnpopulated | kWpAsync;
  return ask(userfault_fd, UFFDIO_API, &api);
}

}  // namespace

bool open_written_pages() {
  if (page_map_fd >= 0) return true;
  userfault_fd = move_up(raw_syscall(SYS_userfaultfd, O_CLOEXEC | kUserModeOnly));
  if (userfault_fd < 0) return false;
  PageRun run;
  if (has_features()) {
    page_map_fd = move_up(
        raw_syscall(SYS_openat, AT_FDCWD, address_of("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC));
    if (page_map_fd >= 0 && written_pages(0, 4096, &run, 1) == 0) return true;
    raw_syscall(SYS_close, page_map_fd);
    page_map_fd = -1;
  }
  raw_syscall(SYS_close, userfault_fd);
  return false;
}

bool register_mapping(uintptr_t start, uintptr_t end) {
  uffdio_register range{};
  range.range = {start, end - start};
  range.mode = UFFDIO_REGISTER_MODE_WP;
  return ask(userfault_fd, UFFDIO_REGISTER, &range);
}

bool watch_pages(uintptr_t start, uintptr_t end) {
  uffdio_writeprotect range{};
  range.range = {start, end - start};
  range.mode = UFFDIO_WRITEPROTECT_MODE_WP;
  return ask(userfault_fd, UFFDIO_WRITEPROTECT, &range);
}

long written_pages(uintptr_t start, uintptr_t end, PageRun* runs, uint32_t most) {
  ScanArguments scan{};
  scan.size = sizeof scan;
  scan.start = start;
  scan.end = end;
  scan.runs = reinterpret_cast<uint64_t>(runs);
  scan.most_runs = most;
  scan.inverted = kZeroPage;
  scan.all_of = kWatchable | kWritten | kZeroPage;
  scan.any_of = kPresent | kSwapped;  // what was never there counts as written, too
  scan.returned = kWritten;
  const long count =
      raw_syscall(SYS_ioctl, page_map_fd, static_cast<long>(kPagemapScan), address_of(&scan));
  return raw_failed(count) || count >= most ? -1 : count;
}

}  // namespace mazurka
