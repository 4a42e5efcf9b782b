#include "runtime/files/kernel_files.h"

#include <cstring>

#include "runtime/files/private_files.h"

namespace mazurka {
namespace {

// What lies there says what was configured, or what this process was started with. A process has
// the same memory in each execution. Of the processors only the clock rates change.
constexpr const char* kStays[] = {
    "/proc/self/auxv",
    "/proc/self/cgroup",
    "/proc/self/cmdline",
    "/proc/self/comm",
    "/proc/self/cwd",
    "/proc/self/environ",
    "/proc/self/exe",
    "/proc/self/fd",
    "/proc/self/maps",
    "/proc/self/mounts",
    "/proc/self/mountinfo",
    "/proc/self/root",
    "/proc/cmdline",
    "/proc/cpuinfo",
    "/proc/devices",
    "/proc/filesystems",
    "/proc/mounts",
    "/proc/partitions",
    "/proc/sys",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/kernel/mm",
};
// Among these.
constexpr const char* kChanges[] = {
    "/proc/sys/kernel/random/uuid", "/proc/sys/kernel/random/entropy_avail",
    "/proc/sys/kernel/ns_last_pid", "/proc/sys/fs/file-nr",
    "/proc/sys/fs/inode-nr",        "/proc/sys/fs/inode-state",
    "/proc/sys/fs/dentry-state",
};
// Files of this kind, wherever they lie.
constexpr const char* kChangingNames[] = {"_cur_freq", "vmstat", "meminfo", "numastat", "/stats"};
constexpr const char* kStayingNames[] = {".max", ".min", ".high", ".low", ".controllers", ".type"};

bool ends_with(const char* path, const char* end) {
  const size_t length = strlen(path);
  const size_t part = strlen(end);
  return length >= part && strcmp(path + length - part, end) == 0;
}

}  // namespace

bool stays_as_it_is(const char* path) {
  for (const char* const one : kChanges) {
    if (strcmp(path, one) == 0) return false;
  }
  for (const char* const one : kChangingNames) {
    if (strstr(path, one) != nullptr) return false;
  }
  for (const char* const one : kStays) {
    if (is_within(path, one)) return true;
  }
  if (!is_within(path, "/sys/fs/cgroup")) return false;
  for (const char* const one : kStayingNames) {
    if (ends_with(path, one)) return true;
  }
  return false;
}

void name_changing_file(const char* path, Call call) {
  if (path == nullptr || (!is_within(path, "/proc") && !is_within(path, "/sys"))) return;
  if (!stays_as_it_is(path)) name_unmodelled("a file of the kernel's", call);
}

}  // namespace mazurka
