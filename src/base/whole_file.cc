#include "base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mazurka {
namespace {

constexpr mode_t kMode = 0666;

Error cannot_write(const std::string& path, int error) {
  return Error{"cannot write " + path + ": " + std::strerror(error)};
}

// 0 or an errno value.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

bool is_regular(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

Result<void> write_whole_file(const std::string& path, std::string_view text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (fd < 0) return cannot_write(path, errno);
  int error = write_all(fd, text);
  const bool can_be_removed = is_regular(fd);
  if (close(fd) != 0 && error == 0) error = errno;
  if (error == 0) return {};
  if (can_be_removed) unlink(path.c_str());
  return cannot_write(path, error);
}

Result<void> can_be_written(const std::string& path) {
  struct stat status {};
  const bool was_there = stat(path.c_str(), &status) == 0;
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kMode);
  if (fd < 0) return cannot_write(path, errno);
  close(fd);
  if (!was_there) unlink(path.c_str());
  return {};
}

}  // namespace mazurka
