// Calls that only look at files, by their paths. Where files are not private they are libc's and
// the kernel's business, but for what is no file of the kernel's (address_files.h).
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/core/raw.h"
#include "runtime/sockets/address_files.h"

using namespace mazurka;

// Programs that were built for an older libc call these; no header declares them any more.
// NOLINTBEGIN(*-naming,*-reserved-identifier)
extern "C" {
int __xstat(int version, const char* path, struct stat* out) noexcept;
int __xstat64(int version, const char* path, struct stat64* out) noexcept;
int __lxstat(int version, const char* path, struct stat* out) noexcept;
int __lxstat64(int version, const char* path, struct stat64* out) noexcept;
int __fxstatat(int version, int directory, const char* path, struct stat* out, int flags) noexcept;
int __fxstatat64(int version, int directory, const char* path, struct stat64* out,
                 int flags) noexcept;
}
// NOLINTEND(*-naming,*-reserved-identifier)

// NOLINTBEGIN(bugprone-macro-parentheses): names, and lists that have their own
#define MAZURKA_LOOKING(name, parameters, arguments, directory)                                    \
  MAZURKA_EXPORT int name parameters noexcept {                                                    \
    const int result = REAL(name) arguments;                                                       \
    if (result != 0 && errno == ENOENT && attached()) note_missing(directory, path, MAZURKA_HERE); \
    return result;                                                                                 \
  }
// NOLINTEND(bugprone-macro-parentheses)
MAZURKA_EXPORT DIR* opendir(const char* path) {
  if (attached()) note_opened_directory(MAZURKA_HERE);
  return REAL(opendir)(path);
}

MAZURKA_LOOKING(stat, (const char* path, struct stat* out), (path, out), AT_FDCWD)
MAZURKA_LOOKING(stat64, (const char* path, struct stat64* out), (path, out), AT_FDCWD)
MAZURKA_LOOKING(lstat, (const char* path, struct stat* out), (path, out), AT_FDCWD)
MAZURKA_LOOKING(lstat64, (const char* path, struct stat64* out), (path, out), AT_FDCWD)
MAZURKA_LOOKING(fstatat, (int directory, const char* path, struct stat* out, int flags),
                (directory, path, out, flags), directory)
MAZURKA_LOOKING(fstatat64, (int directory, const char* path, struct stat64* out, int flags),
                (directory, path, out, flags), directory)
MAZURKA_LOOKING(statx,
                (int directory, const char* path, int flags, unsigned mask, struct statx* out),
                (directory, path, flags, mask, out), directory)
MAZURKA_LOOKING(access, (const char* path, int wanted), (path, wanted), AT_FDCWD)
MAZURKA_LOOKING(faccessat, (int directory, const char* path, int wanted, int flags),
                (directory, path, wanted, flags), directory)
MAZURKA_LOOKING(eaccess, (const char* path, int wanted), (path, wanted), AT_FDCWD)
MAZURKA_LOOKING(euidaccess, (const char* path, int wanted), (path, wanted), AT_FDCWD)
MAZURKA_LOOKING(__xstat, (int version, const char* path, struct stat* out), (version, path, out),
                AT_FDCWD)
MAZURKA_LOOKING(__xstat64, (int version, const char* path, struct stat64* out),
                (version, path, out), AT_FDCWD)
MAZURKA_LOOKING(__lxstat, (int version, const char* path, struct stat* out), (version, path, out),
                AT_FDCWD)
MAZURKA_LOOKING(__lxstat64, (int version, const char* path, struct stat64* out),
                (version, path, out), AT_FDCWD)
MAZURKA_LOOKING(__fxstatat,
                (int version, int directory, const char* path, struct stat* out, int flags),
                (version, directory, path, out, flags), directory)
MAZURKA_LOOKING(__fxstatat64,
                (int version, int directory, const char* path, struct stat64* out, int flags),
                (version, directory, path, out, flags), directory)
