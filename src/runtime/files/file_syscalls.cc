#include "runtime/files/file_syscalls.h"

#include <linux/magic.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <utime.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "runtime/channels/descriptors.h"
#include "runtime/core/random_calls.h"
#include "runtime/core/raw.h"

namespace mazurka {
namespace {

#ifndef SYS_fchmodat2
constexpr long SYS_fchmodat2 = 452;
#endif

// Which argument is a path (or, with AT_EMPTY_PATH, may be null), or a descriptor.
enum class About : uint8_t { Nothing, Path, Descriptor, TwoDescriptors, Chance };

// NOLINTNEXTLINE(readability-function-size): a flat switch
About about(long number) {
  switch (number) {
    case SYS_open:
    case SYS_creat:
    case SYS_openat:
    case SYS_openat2:
    case SYS_stat:
    case SYS_lstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_access:
    case SYS_faccessat:
    case SYS_faccessat2:
    case SYS_readlink:
    case SYS_readlinkat:
    case SYS_unlink:
    case SYS_unlinkat:
    case SYS_rmdir:
    case SYS_rename:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_link:
    case SYS_linkat:
    case SYS_symlink:
    case SYS_symlinkat:
    case SYS_mkdir:
    case SYS_mkdirat:
    case SYS_truncate:
    case SYS_chmod:
    case SYS_fchmodat:
    case SYS_fchmodat2:
    case SYS_chown:
    case SYS_lchown:
    case SYS_fchownat:
    case SYS_utime:
    case SYS_utimes:
    case SYS_utimensat:
    case SYS_futimesat:
    case SYS_chdir:
    case SYS_getcwd:
    case SYS_statfs:
    case SYS_mknod:
    case SYS_mknodat:
    case SYS_setxattr:
    case SYS_lsetxattr:
    case SYS_removexattr:
    case SYS_lremovexattr:
    case SYS_getxattr:
    case SYS_lgetxattr:
    case SYS_listxattr:
    case SYS_llistxattr:
    case SYS_inotify_add_watch:
    case SYS_chroot:
    case SYS_mount:
    case SYS_umount2:
      return About::Path;
    case SYS_read:
    case SYS_write:
    case SYS_readv:
    case SYS_writev:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_preadv:
    case SYS_pwritev:
    case SYS_preadv2:
    case SYS_pwritev2:
    case SYS_lseek:
    case SYS_fstat:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_fchmod:
    case SYS_fchown:
    case SYS_getdents64:
    case SYS_fchdir:
    case SYS_fsetxattr:
    case SYS_fremovexattr:
      return About::Descriptor;
    case SYS_sendfile:
    case SYS_copy_file_range:
    case SYS_splice:
      return About::TwoDescriptors;
    case SYS_getrandom:
      return About::Chance;
    default:
      return About::Nothing;
  }
}

// What the kernel shows of itself.
bool is_of_kernel(int fd) {
  struct statfs system {};
  if (raw_failed(raw_syscall(SYS_fstatfs, fd, address_of(&system)))) return true;
  switch (system.f_type) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
      return true;
    default:
      return false;
  }
}

// One that is a file, or a directory; no channel. The standard streams are the tool's, unless the
// program has put something else there.
bool leads_to_file(int fd) {
  const bool is_followed = any_description_of(fd) != kNoObject;
  if (fd <= STDERR_FILENO && !is_followed) return false;
  struct stat status {};
  if (description_of(fd) != kNoObject ||
      raw_failed(raw_syscall(SYS_fstat, fd, address_of(&status))))
    return false;
  return (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) && (is_followed || !is_of_kernel(fd));
}

template <typename T>
T* pointer(long argument) {
  return reinterpret_cast<T*>(argument);
}
const char* text(long argument) { return reinterpret_cast<const char*>(argument); }
int number_of(long argument) { return static_cast<int>(argument); }

// struct open_how, of which we need the beginning.
struct OpenHow {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};

long open_by_how(const long* a, Call call) {
  const OpenHow* const how = pointer<OpenHow>(a[2]);
  if (how->resolve != 0) name_unmodelled("openat2 with restrictions on the path", call);
  return file_open(number_of(a[0]), text(a[1]), static_cast<int>(how->flags),
                   static_cast<mode_t>(how->mode), call);
}

timespec from_microseconds(const timeval& time) { return {time.tv_sec, time.tv_usec * 1000}; }

long change_times_of(int directory, const char* path, const timeval* times, Call call) {
  if (times == nullptr) return file_change_times(directory, path, nullptr, 0, call);
  const timespec both[2] = {from_microseconds(times[0]), from_microseconds(times[1])};
  return file_change_times(directory, path, both, 0, call);
}

long change_times_to(const char* path, const utimbuf* times, Call call) {
  if (times == nullptr) return file_change_times(AT_FDCWD, path, nullptr, 0, call);
  const timespec both[2] = {{times->actime, 0}, {times->modtime, 0}};
  return file_change_times(AT_FDCWD, path, both, 0, call);
}

// futimens: of a file that is open.
long change_times_of_open(int fd, const timespec* times, Call call) {
  const OpenFile before = open_file_at(fd);
  if (!before.is_file) return raw_syscall(SYS_utimensat, fd, 0, address_of(times), 0);
  use_file(FileVerb::Change, fd, before, FileUsage::WritesData, false, call);
  const OpenFile file = open_file_at(fd);
  if (file.file == 0)
    return name_unmodelled("a change of the times of a file by a descriptor for reading", call),
           -EPERM;
  set_times(private_file(file.file), times);
  return 0;
}

long without_model(long number, Call call) {
  name_unmodelled(
      "a call on files without a model (attributes beyond mode, owner and times; watches; mounts; "
      "devices)",
      call);
  return number == SYS_inotify_add_watch ? -EACCES : -EOPNOTSUPP;
}

long make_node(int directory, const long* a, Call call) {
  const auto mode = static_cast<mode_t>(a[1]);
  if (!S_ISREG(mode) && (mode & S_IFMT) != 0) return without_model(SYS_mknodat, call);
  return file_make(directory, text(a[0]), mode, call);
}

long on_path(long number, const long* a, Call call) {
  switch (number) {
    case SYS_open:
      return file_open(AT_FDCWD, text(a[0]), number_of(a[1]), static_cast<mode_t>(a[2]), call);
    case SYS_creat:
      return file_open(AT_FDCWD, text(a[0]), O_CREAT | O_WRONLY | O_TRUNC,
                       static_cast<mode_t>(a[1]), call);
    case SYS_openat:
      return file_open(number_of(a[0]), text(a[1]), number_of(a[2]), static_cast<mode_t>(a[3]),
                       call);
    case SYS_openat2:
      return open_by_how(a, call);
    case SYS_stat:
      return file_stat(AT_FDCWD, text(a[0]), pointer<struct stat>(a[1]), 0, call);
    case SYS_lstat:
      return file_stat(AT_FDCWD, text(a[0]), pointer<struct stat>(a[1]), AT_SYMLINK_NOFOLLOW, call);
    case SYS_newfstatat:
      return file_stat(number_of(a[0]), text(a[1]), pointer<struct stat>(a[2]), number_of(a[3]),
                       call);
    case SYS_statx:
      return file_statx(number_of(a[0]), text(a[1]), number_of(a[2]), static_cast<unsigned>(a[3]),
                        pointer<struct statx>(a[4]), call);
    case SYS_access:
      return file_access(AT_FDCWD, text(a[0]), number_of(a[1]), 0, call);
    case SYS_faccessat:
      return file_access(number_of(a[0]), text(a[1]), number_of(a[2]), 0, call);
    case SYS_faccessat2:
      return file_access(number_of(a[0]), text(a[1]), number_of(a[2]), number_of(a[3]), call);
    case SYS_readlink:
      return file_read_link(AT_FDCWD, text(a[0]), pointer<char>(a[1]), static_cast<size_t>(a[2]),
                            call);
    case SYS_readlinkat:
      return file_read_link(number_of(a[0]), text(a[1]), pointer<char>(a[2]),
                            static_cast<size_t>(a[3]), call);
    case SYS_statfs:
      return file_status_of_system(text(a[0]), pointer<void>(a[1]), call);
    case SYS_chdir:
      return file_enter(AT_FDCWD, text(a[0]), call);
    case SYS_getcwd:
      return file_working_directory(pointer<char>(a[0]), static_cast<size_t>(a[1]));
    case SYS_getxattr:
    case SYS_lgetxattr:
      return -ENODATA;
    case SYS_listxattr:
    case SYS_llistxattr:
      return 0;
    default:
      return without_model(number, call);
  }
}

long changing_path(long number, const long* a, Call call) {
  switch (number) {
    case SYS_unlink:
      return file_unlink(AT_FDCWD, text(a[0]), 0, call);
    case SYS_unlinkat:
      return file_unlink(number_of(a[0]), text(a[1]), number_of(a[2]), call);
    case SYS_rmdir:
      return file_unlink(AT_FDCWD, text(a[0]), AT_REMOVEDIR, call);
    case SYS_rename:
      return file_rename(AT_FDCWD, text(a[0]), AT_FDCWD, text(a[1]), 0, call);
    case SYS_renameat:
      return file_rename(number_of(a[0]), text(a[1]), number_of(a[2]), text(a[3]), 0, call);
    case SYS_renameat2:
      return file_rename(number_of(a[0]), text(a[1]), number_of(a[2]), text(a[3]),
                         static_cast<unsigned>(a[4]), call);
    case SYS_link:
      return file_link(AT_FDCWD, text(a[0]), AT_FDCWD, text(a[1]), 0, call);
    case SYS_linkat:
      return file_link(number_of(a[0]), text(a[1]), number_of(a[2]), text(a[3]), number_of(a[4]),
                       call);
    case SYS_symlink:
      return file_symlink(text(a[0]), AT_FDCWD, text(a[1]), call);
    case SYS_symlinkat:
      return file_symlink(text(a[0]), number_of(a[1]), text(a[2]), call);
    case SYS_mkdir:
      return file_make_directory(AT_FDCWD, text(a[0]), static_cast<mode_t>(a[1]), call);
    case SYS_mkdirat:
      return file_make_directory(number_of(a[0]), text(a[1]), static_cast<mode_t>(a[2]), call);
    case SYS_mknod:
      return make_node(AT_FDCWD, a, call);
    case SYS_mknodat:
      return make_node(number_of(a[0]), a + 1, call);
    case SYS_truncate:
      return file_truncate(text(a[0]), a[1], call);
    case SYS_chmod:
      return file_change_mode(AT_FDCWD, text(a[0]), static_cast<mode_t>(a[1]), 0, call);
    case SYS_fchmodat:
      return file_change_mode(number_of(a[0]), text(a[1]), static_cast<mode_t>(a[2]), 0, call);
    case SYS_fchmodat2:
      return file_change_mode(number_of(a[0]), text(a[1]), static_cast<mode_t>(a[2]),
                              number_of(a[3]), call);
    case SYS_chown:
      return file_change_owner(AT_FDCWD, text(a[0]), static_cast<uid_t>(a[1]),
                               static_cast<gid_t>(a[2]), 0, call);
    case SYS_lchown:
      return file_change_owner(AT_FDCWD, text(a[0]), static_cast<uid_t>(a[1]),
                               static_cast<gid_t>(a[2]), AT_SYMLINK_NOFOLLOW, call);
    case SYS_fchownat:
      return file_change_owner(number_of(a[0]), text(a[1]), static_cast<uid_t>(a[2]),
                               static_cast<gid_t>(a[3]), number_of(a[4]), call);
    case SYS_utime:
      return change_times_to(text(a[0]), pointer<utimbuf>(a[1]), call);
    case SYS_utimes:
      return change_times_of(AT_FDCWD, text(a[0]), pointer<timeval>(a[1]), call);
    case SYS_futimesat:
      return change_times_of(number_of(a[0]), text(a[1]), pointer<timeval>(a[2]), call);
    case SYS_utimensat:
      return a[1] == 0 ? change_times_of_open(number_of(a[0]), pointer<timespec>(a[2]), call)
                       : file_change_times(number_of(a[0]), text(a[1]), pointer<timespec>(a[2]),
                                           number_of(a[3]), call);
    default:
      return on_path(number, a, call);
  }
}

long on_descriptor(long number, const long* a, Call call) {
  switch (number) {
    case SYS_lseek:
      return file_seek(number_of(a[0]), a[1], number_of(a[2]), call);
    case SYS_fstat:
      return file_fstat(number_of(a[0]), pointer<struct stat>(a[1]), call);
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_fchmod:
    case SYS_fchown:
      return file_change_data(number, a, call);
    case SYS_getdents64:
      return file_list(number_of(a[0]), pointer<void>(a[1]), static_cast<size_t>(a[2]), call);
    case SYS_fchdir: {
      static char path[PATH_MAX];
      const int error = directory_path(number_of(a[0]), path);
      return error != 0 ? -error : file_enter(AT_FDCWD, path, call);
    }
    case SYS_fsetxattr:
    case SYS_fremovexattr:
      return without_model(number, call);
    default:
      return file_transfer(number, a, call);
  }
}

// fstat, as libc calls it.
bool is_descriptor_itself(long number, const long* a) {
  const bool looks = number == SYS_newfstatat || number == SYS_statx;
  const long flags = number == SYS_newfstatat ? a[3] : a[2];
  return looks && (flags & AT_EMPTY_PATH) != 0 && number_of(a[0]) != AT_FDCWD &&
         (a[1] == 0 || *text(a[1]) == '\0');
}

bool is_null_path(long number, const long* a) {
  switch (number) {
    case SYS_openat:
    case SYS_openat2:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_faccessat:
    case SYS_faccessat2:
    case SYS_readlinkat:
    case SYS_unlinkat:
    case SYS_mkdirat:
    case SYS_mknodat:
    case SYS_fchmodat:
    case SYS_fchmodat2:
    case SYS_fchownat:
      return a[1] == 0;
    case SYS_utimensat:
    case SYS_getcwd:
      return false;
    default:
      return a[0] == 0;
  }
}

}  // namespace

bool is_file_call(long number, const long* a) {
  if (!uses_private_files()) return false;
  switch (about(number)) {
    case About::Nothing:
      return false;
    case About::Path:
      return is_descriptor_itself(number, a) ? leads_to_file(number_of(a[0]))
                                             : !is_null_path(number, a);
    case About::Descriptor:
      return leads_to_file(number_of(a[0]));
    case About::TwoDescriptors: {
      const int in = number_of(number == SYS_sendfile ? a[1] : a[0]);
      const int out = number_of(number == SYS_sendfile ? a[0] : a[2]);
      return leads_to_file(in) || leads_to_file(out);
    }
    case About::Chance:
      return true;
  }
  return false;
}

long do_file_call(long number, const long* a, Call call) {
  MAZURKA_DEBUG_CHECK(is_file_call(number, a));
  switch (about(number)) {
    case About::Path:
      return changing_path(number, a, call);
    case About::Descriptor:
      return on_descriptor(number, a, call);
    case About::TwoDescriptors:
      return file_copy(number, a, call);
    case About::Chance:
      fill_random(pointer<void>(a[0]), static_cast<size_t>(a[1]));
      return a[1];
    case About::Nothing:
      break;
  }
  return raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

}  // namespace mazurka
