#include "runtime/files/mapped_files.h"

#include <fcntl.h>

#include "runtime/core/raw.h"
#include "runtime/files/file_syscalls.h"
#include "runtime/processes/shared_memory.h"
#include "runtime/syscalls/watched_calls.h"

namespace mazurka {
namespace {

// Of those that are mapped for writing the inode is marked.
constexpr uint64_t kIsWritten = uint64_t{1} << 63;

bool is_mapped(uint64_t device, uint64_t marked_inode) {
  const Segment& s = segment();
  if (s.mapped_count > kMaxMappedFiles) return true;
  for (uint32_t i = 0; i < s.mapped_count; ++i) {
    if (s.mapped[i].device == device && s.mapped[i].inode == marked_inode) return true;
  }
  return false;
}

void remember(const struct stat& status, uint64_t mark) {
  Segment& s = segment();
  if (is_mapped(status.st_dev, status.st_ino | mark)) return;
  if (s.mapped_count < kMaxMappedFiles)
    s.mapped[s.mapped_count] = {status.st_dev, status.st_ino | mark};
  ++s.mapped_count;
}

}  // namespace

int file_to_map(int fd, bool shares_writing, Call call) {
  const long arguments[6] = {fd};
  if (!is_file_call(SYS_fstat, arguments)) return fd;
  use_file(FileVerb::Read, fd, open_file_at(fd), FileUsage::ReadsData, false, call);
  const OpenFile file = open_file_at(fd);
  if (shares_writing && file.file == 0 && file.status.st_nlink > 0) {
    name_unmodelled(MAZURKA_LASTING("a file written through a shared mapping"), call);
  }
  remember(file.status, 0);
  if (shares_writing) remember(file.status, kIsWritten);
  const long flags = raw_syscall(SYS_fcntl, fd, F_GETFL);
  const int mapped =
      file.is_stale ? static_cast<int>(open_private(file.file, static_cast<int>(flags) & O_ACCMODE))
                    : fd;
  if (file.file != 0) name_file(mapped, file.status.st_ino * 31 + file.status.st_dev);
  return mapped;
}

void name_if_mapped(uint64_t device, uint64_t inode, bool writes, Call call) {
  if (segment().mapped_count == 0 || !is_mapped(device, inode | (writes ? 0 : kIsWritten))) return;
  name_unmodelled("reading or writing a file that is mapped", call);
}

}  // namespace mazurka
