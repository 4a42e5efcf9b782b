// Calls on files by their paths, by their numbers, where files are not private (file_syscalls.h has
// those). The functions called here are our own where we have them.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include <cstdio>

#include "runtime/core/failure.h"
#include "runtime/syscalls/calls_of_program.h"

namespace mazurka {
namespace {

template <typename T>
T* pointer(long argument) {
  return reinterpret_cast<T*>(argument);
}

// struct open_how, of which we need the beginning.
struct OpenHow {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};

long open_by_how(const long* a, Call call) {
  const OpenHow* const how = pointer<OpenHow>(a[2]);
  if (how->resolve != 0) name_unmodelled("openat2 with restrictions on the path", call);
  return openat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<int>(how->flags),
                static_cast<mode_t>(how->mode));
}

bool do_look(long number, const long* a, Call call, long& result) {
  switch (number) {
    case SYS_open:
      result = open(pointer<char>(a[0]), static_cast<int>(a[1]), static_cast<mode_t>(a[2]));
      return true;
    case SYS_creat:
      result = creat(pointer<char>(a[0]), static_cast<mode_t>(a[1]));
      return true;
    case SYS_openat:
      result = openat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<int>(a[2]),
                      static_cast<mode_t>(a[3]));
      return true;
    case SYS_openat2:
      result = open_by_how(a, call);
      return true;
    case SYS_stat:
      result = stat(pointer<char>(a[0]), pointer<struct stat>(a[1]));
      return true;
    case SYS_lstat:
      result = lstat(pointer<char>(a[0]), pointer<struct stat>(a[1]));
      return true;
    case SYS_newfstatat:
      result = fstatat(static_cast<int>(a[0]), pointer<char>(a[1]), pointer<struct stat>(a[2]),
                       static_cast<int>(a[3]));
      return true;
    case SYS_statx:
      result = statx(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<int>(a[2]),
                     static_cast<unsigned>(a[3]), pointer<struct statx>(a[4]));
      return true;
    case SYS_access:
      result = access(pointer<char>(a[0]), static_cast<int>(a[1]));
      return true;
    case SYS_faccessat:
      result = faccessat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<int>(a[2]), 0);
      return true;
    case SYS_faccessat2:
      result = faccessat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<int>(a[2]),
                         static_cast<int>(a[3]));
      return true;
    default:
      return false;
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a flat switch
bool do_path_call(long number, const long* a, Call call, long& result) {
  switch (number) {
    case SYS_unlink:
      result = unlink(pointer<char>(a[0]));
      return true;
    case SYS_unlinkat:
      result = unlinkat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<int>(a[2]));
      return true;
    case SYS_rmdir:
      result = rmdir(pointer<char>(a[0]));
      return true;
    case SYS_rename:
      result = rename(pointer<char>(a[0]), pointer<char>(a[1]));
      return true;
    case SYS_renameat:
      result = renameat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<int>(a[2]),
                        pointer<char>(a[3]));
      return true;
    case SYS_renameat2:
      result = renameat2(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<int>(a[2]),
                         pointer<char>(a[3]), static_cast<unsigned>(a[4]));
      return true;
    case SYS_link:
      result = link(pointer<char>(a[0]), pointer<char>(a[1]));
      return true;
    case SYS_linkat:
      result = linkat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<int>(a[2]),
                      pointer<char>(a[3]), static_cast<int>(a[4]));
      return true;
    case SYS_symlink:
      result = symlink(pointer<char>(a[0]), pointer<char>(a[1]));
      return true;
    case SYS_symlinkat:
      result = symlinkat(pointer<char>(a[0]), static_cast<int>(a[1]), pointer<char>(a[2]));
      return true;
    case SYS_mkdir:
      result = mkdir(pointer<char>(a[0]), static_cast<mode_t>(a[1]));
      return true;
    case SYS_mkdirat:
      result = mkdirat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<mode_t>(a[2]));
      return true;
    case SYS_mknod:
      result = mknod(pointer<char>(a[0]), static_cast<mode_t>(a[1]), static_cast<dev_t>(a[2]));
      return true;
    case SYS_mknodat:
      result = mknodat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<mode_t>(a[2]),
                       static_cast<dev_t>(a[3]));
      return true;
    case SYS_truncate:
      result = truncate(pointer<char>(a[0]), a[1]);
      return true;
    case SYS_chmod:
      result = chmod(pointer<char>(a[0]), static_cast<mode_t>(a[1]));
      return true;
    case SYS_fchmod:
      result = fchmod(static_cast<int>(a[0]), static_cast<mode_t>(a[1]));
      return true;
    case SYS_fchmodat:
      result = fchmodat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<mode_t>(a[2]), 0);
      return true;
    case 452:  // fchmodat2
      result = fchmodat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<mode_t>(a[2]),
                        static_cast<int>(a[3]));
      return true;
    case SYS_chown:
      result = chown(pointer<char>(a[0]), static_cast<uid_t>(a[1]), static_cast<gid_t>(a[2]));
      return true;
    case SYS_lchown:
      result = lchown(pointer<char>(a[0]), static_cast<uid_t>(a[1]), static_cast<gid_t>(a[2]));
      return true;
    case SYS_fchown:
      result = fchown(static_cast<int>(a[0]), static_cast<uid_t>(a[1]), static_cast<gid_t>(a[2]));
      return true;
    case SYS_fchownat:
      result = fchownat(static_cast<int>(a[0]), pointer<char>(a[1]), static_cast<uid_t>(a[2]),
                        static_cast<gid_t>(a[3]), static_cast<int>(a[4]));
      return true;
    case SYS_utime:
      result = utime(pointer<char>(a[0]), pointer<utimbuf>(a[1]));
      return true;
    case SYS_utimes:
      result = utimes(pointer<char>(a[0]), pointer<timeval>(a[1]));
      return true;
    case SYS_futimesat:
      result = futimesat(static_cast<int>(a[0]), pointer<char>(a[1]), pointer<timeval>(a[2]));
      return true;
    case SYS_utimensat:
      result = a[1] == 0 ? futimens(static_cast<int>(a[0]), pointer<timespec>(a[2]))
                         : utimensat(static_cast<int>(a[0]), pointer<char>(a[1]),
                                     pointer<timespec>(a[2]), static_cast<int>(a[3]));
      return true;
    case SYS_setxattr:
      result = setxattr(pointer<char>(a[0]), pointer<char>(a[1]), pointer<void>(a[2]),
                        static_cast<size_t>(a[3]), static_cast<int>(a[4]));
      return true;
    case SYS_lsetxattr:
      result = lsetxattr(pointer<char>(a[0]), pointer<char>(a[1]), pointer<void>(a[2]),
                         static_cast<size_t>(a[3]), static_cast<int>(a[4]));
      return true;
    case SYS_fsetxattr:
      result = fsetxattr(static_cast<int>(a[0]), pointer<char>(a[1]), pointer<void>(a[2]),
                         static_cast<size_t>(a[3]), static_cast<int>(a[4]));
      return true;
    case SYS_removexattr:
      result = removexattr(pointer<char>(a[0]), pointer<char>(a[1]));
      return true;
    case SYS_lremovexattr:
      result = lremovexattr(pointer<char>(a[0]), pointer<char>(a[1]));
      return true;
    case SYS_fremovexattr:
      result = fremovexattr(static_cast<int>(a[0]), pointer<char>(a[1]));
      return true;
    default:
      return do_look(number, a, call, result);
  }
}

}  // namespace mazurka
