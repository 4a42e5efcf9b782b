#include "runtime/files/private_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/channels/descriptors.h"
#include "runtime/core/ends.h"
#include "runtime/core/limits.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/files/files.h"
#include "runtime/processes/shared_memory.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/syscalls/watched_calls.h"

namespace mazurka {
namespace {

constexpr uint64_t kDevice = 0x4d5a;  // that private files are on
constexpr int64_t kSecondNs = 1'000'000'000;

PrivateFiles kind_of_files() { return static_cast<PrivateFiles>(segment().control.private_files); }

timespec timespec_of(int64_t ns) { return {ns / kSecondNs, ns % kSecondNs}; }
int64_t ns_of(const timespec& time) { return time.tv_sec * kSecondNs + time.tv_nsec; }

bool copy_bytes(long from, long to) {
  for (;;) {
    const long copied = raw_syscall(SYS_sendfile, to, from, 0, 1L << 30);
    if (copied == 0) return true;
    if (raw_failed(copied)) return false;
  }
}

// What the memory of a new file is like: nobody has it open yet.
void take_memory_of(uint32_t file) {
  PrivateFile& made = private_file(file);
  const long fd = open_private(file, O_RDWR | O_CLOEXEC);
  struct stat status {};
  if (raw_failed(fd) || raw_failed(raw_syscall(SYS_fstat, fd, address_of(&status)))) {
    runtime_error("the memory of a private file cannot be opened");
  }
  raw_syscall(SYS_close, fd);
  made.memory_device = status.st_dev;
  made.memory_inode = status.st_ino;
}

// Nothing leads there any more.
bool is_gone(const PrivateFile& file) {
  if (file.links > 0 || is_open_somewhere(file.device, file.inode)) return false;
  const Segment& s = segment();
  for (uint32_t i = 0; i < s.mapped_count && i < kMaxMappedFiles; ++i) {
    if (s.mapped[i].device == file.device && (s.mapped[i].inode << 1) == (file.inode << 1))
      return false;
  }
  return s.mapped_count <= kMaxMappedFiles;
}

// 0: there is none.
uint32_t find_gone() {
  for (uint32_t file = 1; file <= segment().private_file_count; ++file) {
    if (is_gone(private_file(file))) return file;
  }
  return 0;
}

void empty_memory(uint32_t file) {
  const long fd = open_private(file, O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (!raw_failed(fd)) raw_syscall(SYS_close, fd);
}

// The inode of a file that is gone may be given to a new one. Where others may be about to use or
// remove files, which are gone depends on them: then each gets one of its own.
uint32_t take_place(uint64_t& inode) {
  Segment& s = segment();
  const bool is_full =
      s.private_file_count == kMaxPrivateFiles || s.file_memories[s.private_file_count] <= 0;
  const bool is_alone = world().alone(current_thread());
  const uint32_t gone = is_full || is_alone ? find_gone() : 0;
  if (gone != 0) {
    const PrivateFile& old = private_file(gone);
    if (is_alone && old.device == kDevice) {
      inode = old.inode;
    } else {
      forget_file(old.device, old.inode);
    }
    empty_memory(gone);
    return gone;
  }
  if (!is_full) return ++s.private_file_count;
  limit_reached(
      "the program has more files of its own than Mazurka can give to one execution (256, or fewer "
      "where `ulimit -n` is small)");
}

// Above the descriptors of named memory, where there is room.
long first_memory_fd() {
  constexpr long kFirst = 440;
  struct rlimit limit {};
  raw_syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, address_of(&limit));
  const auto most = static_cast<long>(limit.rlim_cur);
  return most >= kFirst + kMaxPrivateFiles ? kFirst : most / 2;
}

}  // namespace

bool uses_private_files() {
  return attached() && state.scheduling && kind_of_files() != PrivateFiles::None;
}

bool has_private_addresses() { return kind_of_files() != PrivateFiles::Plain; }

void need_private_addresses() {
  if (state.scheduling && !has_private_addresses()) end_execution(Ending::NeedsFiles);
}

void need_private_files(const char* name, Call call) {
  if (uses_private_files()) return;
  if (!state.scheduling || segment().control.direct || !calls_are_watched())
    return name_unmodelled(name, call);
  need_fork("a change to a file");
  end_execution(Ending::NeedsFiles);
}

uint32_t copy_of(uint64_t device, uint64_t inode) {
  const Segment& s = segment();
  for (uint32_t i = 0; i < s.private_file_count; ++i) {
    const PrivateFile& file = s.private_files[i];
    if (file.is_copy && file.device == device && file.inode == inode) return i + 1;
  }
  return 0;
}

uint32_t make_private_file(PrivateFile::Kind kind, uint32_t mode) {
  uint64_t inode = 0;
  const uint32_t file = take_place(inode);
  PrivateFile& made = private_file(file);
  made = {};
  made.kind = kind;
  made.mode = mode;
  made.owner = static_cast<uint32_t>(raw_syscall(SYS_geteuid));
  made.group = static_cast<uint32_t>(raw_syscall(SYS_getegid));
  made.device = kDevice;
  made.inode = inode != 0 ? inode : new_identity() >> 16;
  made.links = 1;
  made.read_ns = made.changed_ns = made.status_ns = file_time_now();
  if (kind == PrivateFile::Kind::Regular) take_memory_of(file);
  return file;
}

uint32_t private_copy(const char* path, const FileLook& look, bool keeps, long& error) {
  if (look.file != 0) return look.file;
  const mode_t type = look.status.st_mode & S_IFMT;
  const auto kind = type == S_IFREG   ? PrivateFile::Kind::Regular
                    : type == S_IFDIR ? PrivateFile::Kind::Directory
                                      : PrivateFile::Kind::Symlink;
  long from = -1;
  static char target[PATH_MAX];
  if (kind == PrivateFile::Kind::Regular && keeps) {
    from =
        raw_syscall(SYS_openat, AT_FDCWD, address_of(look.real), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (raw_failed(from)) return error = from, 0;
  } else if (kind == PrivateFile::Kind::Symlink) {
    const long length =
        raw_syscall(SYS_readlink, address_of(look.real), address_of(target), sizeof target - 1);
    if (raw_failed(length)) return error = length, 0;
    target[length] = '\0';
  }
  const uint32_t file = make_private_file(kind, look.status.st_mode);
  PrivateFile& copy = private_file(file);
  copy.is_copy = 1;
  copy.owner = look.status.st_uid;
  copy.group = look.status.st_gid;
  copy.links = static_cast<uint32_t>(look.status.st_nlink);
  copy.device = look.status.st_dev;
  copy.inode = look.status.st_ino;
  copy.read_ns = ns_of(look.status.st_atim);
  copy.changed_ns = ns_of(look.status.st_mtim);
  copy.status_ns = ns_of(look.status.st_ctim);
  if (kind == PrivateFile::Kind::Directory) copy.text = keep_file_text(look.real);
  if (kind == PrivateFile::Kind::Symlink) copy.text = keep_file_text(target);
  if (from >= 0) {
    const long to = open_private(file, O_WRONLY | O_CLOEXEC);
    if (raw_failed(to) || !copy_bytes(from, to))
      runtime_error("a file cannot be copied into memory, so that the program may change the copy");
    raw_syscall(SYS_close, to);
    raw_syscall(SYS_close, from);
  }
  set_name(path, file);
  return file;
}

uint32_t umasked(mode_t mode) {
  const long mask = raw_syscall(SYS_umask, 0);
  raw_syscall(SYS_umask, mask);
  return mode & 07777 & ~static_cast<uint32_t>(mask);
}

long open_private(uint32_t file, int flags) {
  char path[64];
  const Segment& s = segment();
  snprintf(path, sizeof path, "/proc/%d/fd/%d", s.control.server_pid,
           s.file_memories[file - 1] - 1);
  constexpr int kTaken = O_ACCMODE | O_APPEND | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_PATH;
  return raw_syscall(SYS_openat, AT_FDCWD, address_of(path), flags & kTaken);
}

void show_status(uint32_t file, struct stat& out) {
  const PrivateFile& shown = private_file(file);
  out = {};
  if (shown.kind == PrivateFile::Kind::Regular) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", segment().control.server_pid,
             segment().file_memories[file - 1] - 1);
    raw_syscall(SYS_newfstatat, AT_FDCWD, address_of(path), address_of(&out), 0);
  } else if (shown.kind == PrivateFile::Kind::Symlink) {
    out.st_size = static_cast<off_t>(strlen(file_text(shown.text)));
  } else {
    out.st_size = 4096;
  }
  out.st_dev = shown.device;
  out.st_ino = shown.inode;
  out.st_mode = shown.mode;
  out.st_nlink = shown.kind == PrivateFile::Kind::Directory ? 2 : shown.links;
  out.st_uid = shown.owner;
  out.st_gid = shown.group;
  out.st_blksize = 4096;
  out.st_atim = timespec_of(shown.read_ns);
  out.st_mtim = timespec_of(shown.changed_ns);
  out.st_ctim = timespec_of(shown.status_ns);
}

void show_time_of_entries(const char* path, struct stat& out) {
  const int64_t changed_ns = world().object(name_record(path).object).file_name.entries_clock_ns;
  if (S_ISDIR(out.st_mode) && changed_ns != 0)
    out.st_mtim = out.st_ctim = timespec_of(changed_ns + kRealtimeOffset_ns);
}

int64_t file_time_now() { return world().thread(current_thread()).clock_ns + kRealtimeOffset_ns; }

OpenFile open_file_at(int fd) {
  OpenFile found;
  if (raw_failed(raw_syscall(SYS_fstat, fd, address_of(&found.status)))) return found;
  const Segment& s = segment();
  if (const OpenedDirectory* const directory = opened_directory(fd)) {
    static FileLook look;
    look_at(file_text(directory->path), look);
    found.is_file = true;
    if (look.exists && S_ISDIR(look.status.st_mode)) found.status = look.status;
    found.file = look.exists ? look.file : 0;
    return found;
  }
  if (S_ISDIR(found.status.st_mode)) return found.is_file = true, found;
  if (!S_ISREG(found.status.st_mode)) return found;
  found.is_file = true;
  for (uint32_t i = 0; i < s.private_file_count; ++i) {
    const PrivateFile& file = s.private_files[i];
    if (file.kind != PrivateFile::Kind::Regular) continue;
    const bool is_itself =
        file.memory_device == found.status.st_dev && file.memory_inode == found.status.st_ino;
    const bool is_copied =
        file.is_copy && file.device == found.status.st_dev && file.inode == found.status.st_ino;
    if (!is_itself && !is_copied) continue;
    found.file = i + 1;
    found.is_stale = is_copied;
    show_status(found.file, found.status);
    return found;
  }
  // One without a name: the kernel's number for it is another one each time.
  if (found.status.st_nlink == 0) found.status.st_ino = identity_of_file(fd, found.status);
  return found;
}

void prepare_private_files() {
  Segment& s = segment();
  if (s.control.private_files) {
    for (int32_t& memory : s.file_memories) {
      if (memory > 0) continue;
      const long fd = raw_syscall(SYS_memfd_create, address_of("mazurka"), MFD_CLOEXEC);
      if (raw_failed(fd)) break;
      const long high = raw_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, first_memory_fd());
      raw_syscall(SYS_close, fd);
      if (raw_failed(high)) break;
      memory = static_cast<int32_t>(high) + 1;
    }
  }
  for (uint32_t i = 0; i < s.private_file_count; ++i) {
    if (s.file_memories[i] <= 0) continue;
    raw_syscall(SYS_ftruncate, s.file_memories[i] - 1, 0);
    raw_syscall(SYS_fchmod, s.file_memories[i] - 1, 0700);
  }
  s.private_file_count = 0;
  if (s.file_name_count > 0) {
    memset(s.file_name_table, 0, sizeof s.file_name_table);
    memset(s.told_names, 0, sizeof s.told_names);
  }
  s.file_name_count = 0;
  s.file_text_count = 0;
  s.directory_count = 0;
  s.mapped_count = 0;
}

}  // namespace mazurka
