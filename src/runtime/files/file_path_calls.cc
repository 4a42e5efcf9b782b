// Calls that look at files by their paths.
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/channels/descriptors.h"
#include "runtime/channels/fifo_calls.h"
#include "runtime/core/random_calls.h"
#include "runtime/core/raw.h"
#include "runtime/files/file_syscalls.h"
#include "runtime/files/files.h"

namespace mazurka {
namespace {

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }

// Why it cannot be opened, as an errno value; 0: it can, as far as names go.
int error_of_opening(const Resolved& at, int flags) {
  const bool exists = at.look.exists;
  if (at.error != 0) return at.error;
  if (!exists && (flags & O_CREAT) == 0) return ENOENT;
  if (!exists) return at.wants_directory ? EISDIR : error_of_changing_entries(at.path);
  if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return EEXIST;
  if (S_ISLNK(at.look.status.st_mode) && (flags & O_PATH) == 0) return ELOOP;
  if (is_directory(at.look)) return writes(flags) || (flags & O_CREAT) != 0 ? EISDIR : 0;
  return at.wants_directory || (flags & O_DIRECTORY) != 0 ? ENOTDIR : 0;
}

long open_new(const Resolved& at, int flags, mode_t mode) {
  const uint32_t file = make_private_file(PrivateFile::Kind::Regular, S_IFREG | umasked(mode));
  set_name(at.path, file);
  return open_private(file, flags);
}

// Opens what the kernel has, where it is.
long open_real(const char* real, int flags) {
  return raw_syscall(SYS_openat, AT_FDCWD, address_of(real), flags & ~(O_CREAT | O_EXCL | O_TRUNC));
}

// To change it. The kernel says whether that is allowed.
long open_copy(const Resolved& at, int flags, Call call) {
  const long allowed = open_real(at.look.real, (flags & O_ACCMODE) | O_CLOEXEC);
  if (raw_failed(allowed)) return allowed;
  raw_syscall(SYS_close, allowed);
  long error = 0;
  const uint32_t file = private_copy(at.path, at.look, (flags & O_TRUNC) == 0, error);
  if (file == 0) return error;
  if ((flags & O_TRUNC) != 0) data_was_changed(file, call);
  return open_private(file, flags);
}

// What this process may do with a file of this mode.
int mode_bits(uint32_t mode, uint32_t owner, uint32_t its_group) {
  const auto user = static_cast<uint32_t>(raw_syscall(SYS_geteuid));
  if (user == 0) return R_OK | W_OK | ((mode & 0111) != 0 || S_ISDIR(mode) ? X_OK : 0);
  const auto group = static_cast<uint32_t>(raw_syscall(SYS_getegid));
  const uint32_t shift = user == owner ? 6 : group == its_group ? 3 : 0;
  return static_cast<int>(mode >> shift & 7);
}
int mode_bits(const PrivateFile& file) { return mode_bits(file.mode, file.owner, file.group); }

long open_private_again(uint32_t file, int flags, Call call) {
  const int access = flags & O_ACCMODE;
  const int wanted =
      (access != O_WRONLY ? R_OK : 0) | (access != O_RDONLY || (flags & O_TRUNC) != 0 ? W_OK : 0);
  if ((flags & O_PATH) == 0 && (wanted & ~mode_bits(private_file(file))) != 0) return -EACCES;
  if ((flags & O_TRUNC) != 0) data_was_changed(file, call);
  return open_private(file, flags);
}

long open_found(const Resolved& at, int flags, mode_t mode, Call call) {
  if (!at.look.exists) return open_new(at, flags, mode);
  const bool is_regular = S_ISREG(at.look.status.st_mode);
  if (at.look.file != 0 && is_regular) return open_private_again(at.look.file, flags, call);
  if (is_regular && (writes(flags) || (flags & O_TRUNC) != 0) && (flags & O_PATH) == 0)
    return open_copy(at, flags, call);
  // A private directory is the root for the kernel: only we look into it.
  return open_real(at.look.real[0] == '\0' ? "/" : at.look.real, flags);
}

// One without a name.
long open_nameless(int flags, mode_t mode, Call call) {
  const ObjectId description = new_file_description(call);
  const uint32_t file = make_private_file(PrivateFile::Kind::Regular, S_IFREG | umasked(mode));
  private_file(file).links = 0;
  const long fd = open_private(file, flags & ~O_TMPFILE);
  if (!raw_failed(fd)) add_file_descriptor(static_cast<int>(fd), description, flags);
  return fd;
}

}  // namespace

long file_open(int directory, const char* path, int flags, mode_t mode, Call call) {
  if (is_random_device(path)) return open_random_device(flags);
  long fifo = 0;
  if (open_fifo(directory, path, flags, fifo, call)) return fifo;
  if ((flags & O_TMPFILE) == O_TMPFILE) return open_nameless(flags, mode, call);
  const bool keeps_link =
      (flags & O_NOFOLLOW) != 0 || (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
  const bool makes = (flags & O_CREAT) != 0;
  const ObjectId description = new_file_description(call);
  const Resolved& at = use_path({.verb = makes ? FileVerb::Create : FileVerb::Open,
                                 .directory = directory,
                                 .path = path,
                                 .last = keeps_link ? LastLink::Keep : LastLink::Follow,
                                 .use = {.makes = makes, .writes_data = (flags & O_TRUNC) != 0}},
                                call);
  long fd = -error_of_opening(at, flags);
  if (at.is_outside) {
    fd = raw_syscall(SYS_openat, directory, address_of(path), flags, mode);
  } else if (fd == 0) {
    fd = open_found(at, flags, mode, call);
  }
  if (makes && at.error == 0 && !at.is_outside) settle_name(at.path);
  const bool is_file =
      !raw_failed(fd) && open_file_at(static_cast<int>(fd)).is_file && !at.is_outside;
  if (!is_file) {
    forget_file_description(description);
    return fd;
  }
  if (is_directory(at.look)) remember_directory(description, at.path);
  add_file_descriptor(static_cast<int>(fd), description, flags);
  return fd;
}

namespace {

// What a call that only looks finds. Negative: an error.
long find_to_look(int directory, const char* path, int flags, const Resolved*& at, Call call) {
  at = &use_path({.verb = FileVerb::Look,
                  .directory = directory,
                  .path = path,
                  .last = last_link(flags),
                  .use = {.lists = true, .reads_links = true, .reads_data = true},
                  .sees_addresses = true},
                 call);
  if (at->error != 0) return -at->error;
  if (at->is_outside) return 0;
  if (!at->look.exists) return -ENOENT;
  return at->wants_directory && !is_directory(at->look) ? -ENOTDIR : 0;
}

bool is_descriptor_itself(const char* path, int flags) {
  return (flags & AT_EMPTY_PATH) != 0 && (path == nullptr || path[0] == '\0');
}

void to_statx(const struct stat& from, struct statx& to) {
  const auto time = [](const timespec& t) {
    statx_timestamp out{};
    out.tv_sec = t.tv_sec;
    out.tv_nsec = static_cast<uint32_t>(t.tv_nsec);
    return out;
  };
  to = {};
  to.stx_mask = STATX_BASIC_STATS;
  to.stx_blksize = static_cast<uint32_t>(from.st_blksize);
  to.stx_nlink = static_cast<uint32_t>(from.st_nlink);
  to.stx_uid = from.st_uid;
  to.stx_gid = from.st_gid;
  to.stx_mode = static_cast<uint16_t>(from.st_mode);
  to.stx_ino = from.st_ino;
  to.stx_size = static_cast<uint64_t>(from.st_size);
  to.stx_blocks = static_cast<uint64_t>(from.st_blocks);
  to.stx_atime = time(from.st_atim);
  to.stx_ctime = time(from.st_ctim);
  to.stx_mtime = time(from.st_mtim);
  to.stx_dev_major = static_cast<uint32_t>(from.st_dev >> 8);
  to.stx_dev_minor = static_cast<uint32_t>(from.st_dev & 0xff);
}

}  // namespace

long file_stat(int directory, const char* path, struct stat* out, int flags, Call call) {
  if (is_descriptor_itself(path, flags) && directory != AT_FDCWD)
    return file_fstat(directory, out, call);
  const Resolved* at = nullptr;
  const long error = find_to_look(
      directory, path[0] == '\0' && (flags & AT_EMPTY_PATH) != 0 ? "." : path, flags, at, call);
  if (at->is_outside)
    return raw_syscall(SYS_newfstatat, directory, address_of(path), address_of(out), flags);
  if (error != 0) return error;
  *out = at->look.status;
  show_time_of_entries(at->path, *out);
  return 0;
}

long file_statx(int directory, const char* path, int flags, unsigned mask, struct statx* out,
                Call call) {
  struct stat found {};
  const Resolved* at = nullptr;
  if (!is_descriptor_itself(path, flags)) {
    const long error = find_to_look(directory, path, flags, at, call);
    if (at->is_outside)
      return raw_syscall(SYS_statx, directory, address_of(path), flags, mask, address_of(out));
    if (error != 0) return error;
    found = at->look.status;
    show_time_of_entries(at->path, found);
  } else if (const long error = file_fstat(directory, &found, call); error != 0) {
    return error;
  }
  to_statx(found, *out);
  return 0;
}

bool file_exists(const char* path) {
  const Resolved& at = use_path({.verb = FileVerb::Look,
                                 .directory = AT_FDCWD,
                                 .path = path,
                                 .last = LastLink::Keep,
                                 .use = {.lists = true, .reads_links = true, .reads_data = true}},
                                {});
  return at.error == 0 && at.look.exists;
}

long file_access(int directory, const char* path, int wanted, int flags, Call call) {
  const Resolved* at = nullptr;
  const long error = find_to_look(directory, path, flags, at, call);
  if (at->is_outside)
    return raw_syscall(SYS_faccessat2, directory, address_of(path), wanted, flags);
  if (error != 0) return error;
  if (at->look.is_address) {
    const struct stat& status = at->look.status;
    return (wanted & ~mode_bits(status.st_mode, status.st_uid, status.st_gid)) != 0 ? -EACCES : 0;
  }
  if (at->look.file == 0)
    return raw_syscall(SYS_faccessat2, AT_FDCWD, address_of(at->look.real), wanted, flags);
  return (wanted & ~mode_bits(private_file(at->look.file))) != 0 ? -EACCES : 0;
}

long file_read_link(int directory, const char* path, char* out, size_t size, Call call) {
  const Resolved& at = use_path({.verb = FileVerb::Look,
                                 .directory = directory,
                                 .path = path,
                                 .last = LastLink::Keep,
                                 .use = {}},
                                call);
  if (at.is_outside)
    return raw_syscall(SYS_readlinkat, directory, address_of(path), address_of(out),
                       static_cast<long>(size));
  if (at.error != 0 || !at.look.exists) return at.error != 0 ? -at.error : -ENOENT;
  if (!S_ISLNK(at.look.status.st_mode)) return -EINVAL;
  if (at.look.file == 0)
    return raw_syscall(SYS_readlink, address_of(at.look.real), address_of(out),
                       static_cast<long>(size));
  const char* const target = file_text(private_file(at.look.file).text);
  const size_t length = strlen(target) < size ? strlen(target) : size;
  // NOLINTNEXTLINE(bugprone-not-null-terminated-result): as readlink does
  memcpy(out, target, length);
  return static_cast<long>(length);
}

long file_status_of_system(const char* path, void* out, Call call) {
  const Resolved* at = nullptr;
  const long error = find_to_look(AT_FDCWD, path, 0, at, call);
  if (at->is_outside) return raw_syscall(SYS_statfs, address_of(path), address_of(out));
  if (error != 0) return error;
  const char* const real = at->look.file != 0 || at->look.real[0] == '\0' ? "/" : at->look.real;
  return raw_syscall(SYS_statfs, address_of(real), address_of(out));
}

long file_to_run(int directory, const char* path, char (&out)[PATH_MAX], Call call) {
  out[0] = '\0';
  const Resolved* at = nullptr;
  const long error = find_to_look(directory, path, 0, at, call);
  if (at->is_outside) return 0;
  if (error != 0) return error;
  if (at->look.is_address) return -EACCES;
  if (at->look.file == 0) {
    strcpy(out, at->look.real);
    return 0;
  }
  if (!S_ISREG(at->look.status.st_mode) || (mode_bits(private_file(at->look.file)) & X_OK) == 0)
    return -EACCES;
  return static_cast<long>(at->look.file);
}

}  // namespace mazurka
