#include "runtime/processes/exec_image.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/raw.h"

namespace mazurka {
namespace {

constexpr int kMaxInterpreters = 4;  // the kernel's own limit
constexpr long kReadOnly = O_RDONLY | O_CLOEXEC;

// Closes at the end of the block.
struct OpenFile {
  long fd;
  explicit OpenFile(long opened) : fd(opened) {}
  ~OpenFile() {
    if (!raw_failed(fd)) raw_syscall(SYS_close, fd);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool read_at(void* to, long size, long offset) const {
    return raw_syscall(SYS_pread64, fd, address_of(to), size, offset) == size;
  }
};

bool has_interpreter(const OpenFile& file, const Elf64_Ehdr& header) {
  for (long i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment = {};
    const long at = static_cast<long>(header.e_phoff) + i * header.e_phentsize;
    if (!file.read_at(&segment, sizeof segment, at)) return false;
    if (segment.p_type == PT_INTERP) return true;
  }
  return false;
}

ImageCheck check_elf(const OpenFile& file, bool changes_user) {
  Elf64_Ehdr header = {};
  if (!file.read_at(&header, sizeof header, 0)) return {ENOEXEC, Image::NotKnown};
  // 32-bit programs and those of other machines that binfmt_misc knows: not ours, but the kernel
  // may run them.
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
    return {0, Image::Static};
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) return {ENOEXEC, Image::NotKnown};
  const bool ours = !changes_user && has_interpreter(file, header);
  return {0, ours ? Image::Dynamic : Image::Static};
}

// "#! /bin/sh -e": leaves the path of the interpreter in `line`.
const char* interpreter_of(char* line) {
  char* path = line + 2 + strspn(line + 2, " \t");
  path[strcspn(path, " \t\n")] = '\0';
  return path;
}

ImageCheck check(int directory, const char* path, int depth) {
  if (depth > kMaxInterpreters) return {ELOOP, Image::NotKnown};
  struct stat status = {};
  const bool itself = *path == '\0';
  const long flags = itself ? AT_EMPTY_PATH : 0;
  long result =
      raw_syscall(SYS_newfstatat, directory, address_of(path), address_of(&status), flags);
  if (raw_failed(result)) return {static_cast<int>(-result), Image::NotKnown};
  if (!S_ISREG(status.st_mode)) return {EACCES, Image::NotKnown};
  result = raw_syscall(SYS_faccessat2, directory, address_of(path), X_OK, flags | AT_EACCESS);
  if (raw_failed(result)) return {static_cast<int>(-result), Image::NotKnown};

  const OpenFile file(itself ? raw_syscall(SYS_fcntl, directory, F_DUPFD_CLOEXEC, 0)
                             : raw_syscall(SYS_openat, directory, address_of(path), kReadOnly));
  if (raw_failed(file.fd)) return {0, Image::NotKnown};  // may be run, but not read
  char begin[256] = {};
  const long length = raw_syscall(SYS_pread64, file.fd, address_of(begin), sizeof begin - 1, 0);
  if (length >= 4 && memcmp(begin, ELFMAG, SELFMAG) == 0) {
    return check_elf(file, (status.st_mode & (S_ISUID | S_ISGID)) != 0);
  }
  if (length >= 2 && begin[0] == '#' && begin[1] == '!')
    return check(AT_FDCWD, interpreter_of(begin), depth + 1);
  return {0, Image::NotKnown};
}

}  // namespace

ImageCheck check_image(int fd, const char* path) { return check(fd, path, 0); }

}  // namespace mazurka
