// Calls on files that are open.
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/channels/descriptors.h"
#include "runtime/core/raw.h"
#include "runtime/files/file_syscalls.h"
#include "runtime/files/mapped_files.h"
#include "runtime/syscalls/watched_calls.h"

namespace mazurka {
namespace {

long pass_on(long number, const long* a) {
  return raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

bool is_write(long number) {
  return number == SYS_write || number == SYS_writev || number == SYS_pwrite64 ||
         number == SYS_pwritev || number == SYS_pwritev2;
}

bool moves_offset(long number, const long* a) {
  switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_readv:
    case SYS_writev:
      return true;
    case SYS_preadv2:
    case SYS_pwritev2:
      return a[3] == -1;
    default:
      return false;
  }
}

// A descriptor on the private copy of the file, where the program has one of the kernel's; closed
// in the end.
class FreshDescriptor {
 public:
  FreshDescriptor(int fd, uint32_t file) {
    const long flags = raw_syscall(SYS_fcntl, fd, F_GETFL);
    fd_ = open_private(file, static_cast<int>(flags) & (O_ACCMODE | O_APPEND));
  }
  ~FreshDescriptor() {
    if (!raw_failed(fd_)) raw_syscall(SYS_close, fd_);
  }
  FreshDescriptor(const FreshDescriptor&) = delete;
  FreshDescriptor& operator=(const FreshDescriptor&) = delete;
  long get() const { return fd_; }

 private:
  long fd_;
};

// The same call on the copy, from where the descriptor stands.
long transfer_by_copy(long number, const long* a, uint32_t file) {
  const int fd = static_cast<int>(a[0]);
  const FreshDescriptor copy(fd, file);
  if (raw_failed(copy.get())) return copy.get();
  const bool moves = moves_offset(number, a);
  if (moves) raw_syscall(SYS_lseek, copy.get(), raw_syscall(SYS_lseek, fd, 0, SEEK_CUR), SEEK_SET);
  const long result = raw_syscall(number, copy.get(), a[1], a[2], a[3], a[4], a[5]);
  if (moves) raw_syscall(SYS_lseek, fd, raw_syscall(SYS_lseek, copy.get(), 0, SEEK_CUR), SEEK_SET);
  return result;
}

// What was opened before main, or by somebody else, is the kernel's: to be named.
void note_change(const OpenFile& file, Call call) {
  if (file.file != 0) {
    data_was_changed(file.file, call);
  } else if (file.status.st_nlink > 0) {
    name_unmodelled(
        MAZURKA_LASTING("writing to a file that the program did not open in this execution"), call);
  }
}

long seek_private(uint32_t file, int fd, long offset, int whence) {
  const FreshDescriptor copy(fd, file);
  const long result =
      raw_failed(copy.get()) ? copy.get() : raw_syscall(SYS_lseek, copy.get(), offset, whence);
  return raw_failed(result) ? result : raw_syscall(SYS_lseek, fd, result, SEEK_SET);
}

}  // namespace

long file_transfer(long number, const long* a, Call call) {
  const int fd = static_cast<int>(a[0]);
  const OpenFile before = open_file_at(fd);
  const bool writes = is_write(number);
  use_file(writes ? FileVerb::Write : FileVerb::Read, fd, before,
           writes ? FileUsage::WritesData : FileUsage::ReadsData, moves_offset(number, a), call);
  const OpenFile file = open_file_at(fd);  // another may have made a copy meanwhile
  const long result = file.is_stale ? transfer_by_copy(number, a, file.file) : pass_on(number, a);
  if (!writes) name_if_mapped(file.status.st_dev, file.status.st_ino, false, call);
  if (writes && !raw_failed(result)) note_change(file, call);
  return result;
}

long file_seek(int fd, long offset, int whence, Call call) {
  const bool looks = whence != SEEK_SET && whence != SEEK_CUR;
  const OpenFile before = open_file_at(fd);
  const ObjectId description = any_description_of(fd);
  const bool is_own = description != kNoObject &&
                      world().object(description).description.holder_count <= 1 &&
                      !has_unseen_threads(world(), current_thread());
  if (looks || !is_own) use_file(FileVerb::Look, fd, before, FileUsage::ReadsData, true, call);
  if (OpenedDirectory* const directory = opened_directory(fd)) {
    const long to = whence == SEEK_CUR ? directory->position + offset : offset;
    if (whence > SEEK_CUR || to < 0 || to >= kFirstMadeEntry + long{segment().file_name_count})
      return -EINVAL;
    directory->position = static_cast<uint32_t>(to);
    return to;
  }
  const OpenFile file = open_file_at(fd);
  return looks && file.is_stale ? seek_private(file.file, fd, offset, whence)
                                : raw_syscall(SYS_lseek, fd, offset, whence);
}

long file_fstat(int fd, struct stat* out, Call call) {
  use_file(FileVerb::Look, fd, open_file_at(fd), FileUsage::ReadsData, false, call);
  *out = open_file_at(fd).status;
  char path[PATH_MAX];
  if (S_ISDIR(out->st_mode) && directory_path(fd, path) == 0) show_time_of_entries(path, *out);
  return 0;
}

long file_change_data(long number, const long* a, Call call) {
  const int fd = static_cast<int>(a[0]);
  const OpenFile before = open_file_at(fd);
  const bool changes_bytes = number == SYS_ftruncate || number == SYS_fallocate;
  use_file(changes_bytes ? FileVerb::Truncate : FileVerb::Change, fd, before, FileUsage::WritesData,
           false, call);
  const OpenFile file = open_file_at(fd);
  if (changes_bytes) {
    const long result = file.is_stale ? transfer_by_copy(number, a, file.file) : pass_on(number, a);
    if (!raw_failed(result)) note_change(file, call);
    return result;
  }
  if (file.file == 0) {
    if (file.status.st_nlink > 0)
      name_unmodelled("a change of the mode, owner or times of a file by a descriptor for reading",
                      call);
    return file.status.st_nlink > 0 ? -EPERM : pass_on(number, a);
  }
  PrivateFile& changed = private_file(file.file);
  if (number == SYS_fchmod)
    changed.mode = (changed.mode & S_IFMT) | (static_cast<uint32_t>(a[1]) & 07777);
  if (number == SYS_fchown && static_cast<uint32_t>(a[1]) != ~0u)
    changed.owner = static_cast<uint32_t>(a[1]);
  if (number == SYS_fchown && static_cast<uint32_t>(a[2]) != ~0u)
    changed.group = static_cast<uint32_t>(a[2]);
  changed.status_ns = file_time_now();
  return 0;
}

// sendfile(out, in, offset, count); copy_file_range(in, offset, out, offset, count, flags); splice
// likewise.
long file_copy(long number, const long* a, Call call) {
  const int in = static_cast<int>(number == SYS_sendfile ? a[1] : a[0]);
  const int out = static_cast<int>(number == SYS_sendfile ? a[0] : a[2]);
  const OpenFile read = open_file_at(in);
  const OpenFile written = open_file_at(out);
  use_files(FileVerb::Write, in, read, out, written, call);
  // Who called it goes on with read and write.
  if (open_file_at(in).is_stale || open_file_at(out).is_stale)
    return number == SYS_copy_file_range ? -EXDEV : -EINVAL;
  const long result = pass_on(number, a);
  if (read.is_file) name_if_mapped(read.status.st_dev, read.status.st_ino, false, call);
  if (written.is_file && !raw_failed(result)) note_change(open_file_at(out), call);
  return result;
}

}  // namespace mazurka
