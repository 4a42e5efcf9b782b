// Files. Reading them is fine. What one execution writes a later one could read: so a program that
// changes files gets private ones (private_files.h). That it does is noticed here, or where it
// writes (watched_calls.cc). The random devices are ours, and so are FIFOs.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "runtime/channels/fifo_calls.h"
#include "runtime/core/blocking.h"
#include "runtime/core/failure.h"
#include "runtime/core/random_calls.h"
#include "runtime/core/raw.h"
#include "runtime/files/file_syscalls.h"
#include "runtime/files/files.h"
#include "runtime/files/kernel_files.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/sockets/sockets.h"
#include "runtime/syscalls/watched_calls.h"

namespace mazurka {
namespace {

bool changes_file(const char* path, int flags) {
  if ((flags & O_PATH) != 0) return false;
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  return writes && !keeps_nothing(path);
}

// Whether opening it is a change already: it is made, or what is in it is lost.
bool changes_at_once(int directory, const char* path, int flags) {
  struct stat status {};
  const bool exists = !raw_failed(
      program_syscall(SYS_newfstatat, directory, address_of(path), address_of(&status), 0));
  if (!exists) return (flags & O_CREAT) != 0;
  return (flags & O_TRUNC) != 0 && status.st_size > 0;
}

long open_to_read(int directory, const char* path, int flags, mode_t mode) {
  const long fd =
      program_syscall(SYS_openat, directory, address_of(path), flags, static_cast<long>(mode));
  if (!raw_failed(fd)) remember_opened(static_cast<int>(fd));
  return fd;
}

long open_kernel(int directory, const char* path, int flags, mode_t mode, Call call) {
  if (path == nullptr) return -EFAULT;
  name_changing_file(path, call);
  if (uses_private_files()) return file_open(directory, path, flags, mode, call);
  if (is_random_device(path)) return open_random_device(flags);
  long fifo = 0;
  if (open_fifo(directory, path, flags, fifo, call)) return fifo;
  if (!changes_file(path, flags)) return open_to_read(directory, path, flags, mode);
  if (changes_at_once(directory, path, flags))
    need_private_files(MAZURKA_LASTING("open for writing"), call);
  const long fd = open_to_change(directory, path, flags, mode, call);
  if (!raw_failed(fd) && !calls_are_watched()) note_change_of_file(static_cast<int>(fd), call);
  return fd;
}

int flags_of(const char* mode) {
  const char* const end = mode + strcspn(mode, ",");
  const auto has = [&](char wanted) {
    return memchr(mode, wanted, static_cast<size_t>(end - mode)) != nullptr;
  };
  const int further = (has('e') ? O_CLOEXEC : 0) | (has('x') ? O_EXCL : 0);
  if (mode[0] == 'r') return further | (has('+') ? O_RDWR : O_RDONLY);
  return further | (has('+') ? O_RDWR : O_WRONLY) | O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC);
}

// Null if libc shall open it: one for reading, or one that cannot be opened.
FILE* open_stream_ourselves(const char* path, const char* mode, Call call) {
  if (path == nullptr || mode == nullptr || strchr("rwa", mode[0]) == nullptr ||
      uses_private_files())
    return nullptr;
  const int flags = flags_of(mode);
  name_changing_file(path, call);
  long fd = -ENOENT;
  if (is_random_device(path)) {
    fd = open_random_device(flags);
  } else if (changes_file(path, flags)) {
    fd = open_kernel(AT_FDCWD, path, flags, 0666, call);
  } else if (!open_fifo(AT_FDCWD, path, flags, fd, call)) {
    return nullptr;
  }
  return raw_failed(fd) ? nullptr : fdopen(static_cast<int>(fd), mode);
}

// The last argument of open, which is there only if the file may be made.
mode_t mode_argument(int flags, va_list arguments) {
  const bool there = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return there ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

int open_file(int directory, const char* path, int flags, mode_t mode, Call call) {
  return number_with_errno(open_kernel(directory, path, flags, mode, call));
}

}  // namespace mazurka

using namespace mazurka;

// With _FORTIFY_SOURCE programs call these; no header declares them for us.
// NOLINTBEGIN(*-naming,*-reserved-identifier)
extern "C" {
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int directory, const char* path, int flags);
int __openat64_2(int directory, const char* path, int flags);
}
// NOLINTEND(*-naming,*-reserved-identifier)

#define MAZURKA_OPEN(name)                                       \
  MAZURKA_EXPORT int name(const char* path, int flags, ...) {    \
    va_list arguments;                                           \
    va_start(arguments, flags);                                  \
    const mode_t mode = mode_argument(flags, arguments);         \
    va_end(arguments);                                           \
    if (!attached()) return REAL(name)(path, flags, mode);       \
    return open_file(AT_FDCWD, path, flags, mode, MAZURKA_HERE); \
  }
#define MAZURKA_OPENAT(name)                                                 \
  MAZURKA_EXPORT int name(int directory, const char* path, int flags, ...) { \
    va_list arguments;                                                       \
    va_start(arguments, flags);                                              \
    const mode_t mode = mode_argument(flags, arguments);                     \
    va_end(arguments);                                                       \
    if (!attached()) return REAL(name)(directory, path, flags, mode);        \
    return open_file(directory, path, flags, mode, MAZURKA_HERE);            \
  }
MAZURKA_OPEN(open)
MAZURKA_OPEN(open64)
MAZURKA_OPENAT(openat)
MAZURKA_OPENAT(openat64)

MAZURKA_EXPORT int __open_2(const char* path, int flags) {
  return attached() ? open_file(AT_FDCWD, path, flags, 0, MAZURKA_HERE)
                    : REAL(__open_2)(path, flags);
}

MAZURKA_EXPORT int __open64_2(const char* path, int flags) {
  return attached() ? open_file(AT_FDCWD, path, flags, 0, MAZURKA_HERE)
                    : REAL(__open64_2)(path, flags);
}

MAZURKA_EXPORT int __openat_2(int directory, const char* path, int flags) {
  return attached() ? open_file(directory, path, flags, 0, MAZURKA_HERE)
                    : REAL(__openat_2)(directory, path, flags);
}

MAZURKA_EXPORT int __openat64_2(int directory, const char* path, int flags) {
  return attached() ? open_file(directory, path, flags, 0, MAZURKA_HERE)
                    : REAL(__openat64_2)(directory, path, flags);
}

#define MAZURKA_CREAT(name)                                                             \
  MAZURKA_EXPORT int name(const char* path, mode_t mode) {                              \
    if (!attached()) return REAL(name)(path, mode);                                     \
    return open_file(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, MAZURKA_HERE); \
  }
MAZURKA_CREAT(creat)
MAZURKA_CREAT(creat64)

#define MAZURKA_FOPEN(name)                                                             \
  MAZURKA_EXPORT FILE* name(const char* __restrict path, const char* __restrict mode) { \
    if (attached()) {                                                                   \
      FILE* const opened = open_stream_ourselves(path, mode, MAZURKA_HERE);             \
      if (opened != nullptr) return opened;                                             \
    }                                                                                   \
    return REAL(name)(path, mode);                                                      \
  }
MAZURKA_FOPEN(fopen)
MAZURKA_FOPEN(fopen64)

#define MAZURKA_FREOPEN(name)                                                         \
  MAZURKA_EXPORT FILE* name(const char* __restrict path, const char* __restrict mode, \
                            FILE* __restrict stream) {                                \
    if (attached() && path != nullptr && changes_file(path, flags_of(mode))) {        \
      need_private_files(MAZURKA_LASTING(#name " for writing"), MAZURKA_HERE);        \
    }                                                                                 \
    return REAL(name)(path, mode, stream);                                            \
  }
MAZURKA_FREOPEN(freopen)
MAZURKA_FREOPEN(freopen64)

// NOLINTBEGIN(bugprone-macro-parentheses): types, names, and lists that have their own
// What changes files and is done by libc as ever: where they are private, its own system calls come
// to us.
#define MAZURKA_CHANGING(result, name, parameters, arguments)                 \
  MAZURKA_EXPORT result name parameters {                                     \
    if (attached()) need_private_files(MAZURKA_LASTING(#name), MAZURKA_HERE); \
    return REAL(name) arguments;                                              \
  }
// A name that is no file of the kernel's may be that of a socket.
#define MAZURKA_UNLINKING(name, parameters, arguments, is_plain)                   \
  MAZURKA_EXPORT int name parameters {                                             \
    if (attached()) {                                                              \
      int result = 0;                                                              \
      if ((is_plain) && unlink_address(path, result, MAZURKA_HERE)) return result; \
      need_private_files(MAZURKA_LASTING(#name), MAZURKA_HERE);                    \
    }                                                                              \
    return REAL(name) arguments;                                                   \
  }
// NOLINTEND(bugprone-macro-parentheses)
MAZURKA_UNLINKING(unlink, (const char* path), (path), true)
MAZURKA_UNLINKING(unlinkat, (int directory, const char* path, int flags), (directory, path, flags),
                  directory == AT_FDCWD && flags == 0)
MAZURKA_UNLINKING(remove, (const char* path), (path), true)
MAZURKA_CHANGING(int, rename, (const char* from, const char* to), (from, to))
MAZURKA_CHANGING(int, renameat,
                 (int from_directory, const char* from, int to_directory, const char* to),
                 (from_directory, from, to_directory, to))
MAZURKA_CHANGING(int, renameat2,
                 (int from_directory, const char* from, int to_directory, const char* to,
                  unsigned flags),
                 (from_directory, from, to_directory, to, flags))
MAZURKA_CHANGING(int, link, (const char* from, const char* to), (from, to))
MAZURKA_CHANGING(int, linkat,
                 (int from_directory, const char* from, int to_directory, const char* to,
                  int flags),
                 (from_directory, from, to_directory, to, flags))
MAZURKA_CHANGING(int, symlink, (const char* target, const char* path), (target, path))
MAZURKA_CHANGING(int, symlinkat, (const char* target, int directory, const char* path),
                 (target, directory, path))
MAZURKA_CHANGING(int, mkdir, (const char* path, mode_t mode), (path, mode))
MAZURKA_CHANGING(int, mkdirat, (int directory, const char* path, mode_t mode),
                 (directory, path, mode))
MAZURKA_CHANGING(int, rmdir, (const char* path), (path))
MAZURKA_CHANGING(int, truncate, (const char* path, off_t length), (path, length))
MAZURKA_CHANGING(int, truncate64, (const char* path, off64_t length), (path, length))
MAZURKA_CHANGING(int, chmod, (const char* path, mode_t mode), (path, mode))
MAZURKA_CHANGING(int, fchmod, (int fd, mode_t mode), (fd, mode))
MAZURKA_CHANGING(int, fchmodat, (int directory, const char* path, mode_t mode, int flags),
                 (directory, path, mode, flags))
MAZURKA_CHANGING(int, chown, (const char* path, uid_t owner, gid_t group), (path, owner, group))
MAZURKA_CHANGING(int, lchown, (const char* path, uid_t owner, gid_t group), (path, owner, group))
MAZURKA_CHANGING(int, fchown, (int fd, uid_t owner, gid_t group), (fd, owner, group))
MAZURKA_CHANGING(int, fchownat,
                 (int directory, const char* path, uid_t owner, gid_t group, int flags),
                 (directory, path, owner, group, flags))
MAZURKA_CHANGING(int, utime, (const char* path, const utimbuf* times), (path, times))
MAZURKA_CHANGING(int, utimes, (const char* path, const timeval* times), (path, times))
MAZURKA_CHANGING(int, lutimes, (const char* path, const timeval* times), (path, times))
MAZURKA_CHANGING(int, futimes, (int fd, const timeval* times), (fd, times))
MAZURKA_CHANGING(int, futimesat, (int directory, const char* path, const timeval* times),
                 (directory, path, times))
MAZURKA_CHANGING(int, utimensat,
                 (int directory, const char* path, const timespec* times, int flags),
                 (directory, path, times, flags))
MAZURKA_CHANGING(int, futimens, (int fd, const timespec* times), (fd, times))
MAZURKA_CHANGING(int, setxattr,
                 (const char* path, const char* name, const void* value, size_t size, int flags),
                 (path, name, value, size, flags))
MAZURKA_CHANGING(int, lsetxattr,
                 (const char* path, const char* name, const void* value, size_t size, int flags),
                 (path, name, value, size, flags))
MAZURKA_CHANGING(int, fsetxattr,
                 (int fd, const char* name, const void* value, size_t size, int flags),
                 (fd, name, value, size, flags))
MAZURKA_CHANGING(int, removexattr, (const char* path, const char* name), (path, name))
MAZURKA_CHANGING(int, lremovexattr, (const char* path, const char* name), (path, name))
MAZURKA_CHANGING(int, fremovexattr, (int fd, const char* name), (fd, name))
