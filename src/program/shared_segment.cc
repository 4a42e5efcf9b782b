#include "program/shared_segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace mazurka {
namespace {

// Above the numbers that a program expects its own descriptors to have; the program does not
// inherit it anyway.
constexpr int kFirstFd = 300;

Error system_error(const std::string& what) { return Error{what + ": " + std::strerror(errno)}; }

}  // namespace

Result<int> new_memory_file(const char* name) {
  const int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) return system_error("cannot create a memory file");
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, kFirstFd);
  if (high < 0) return fd;
  close(fd);
  return high;
}

std::string path_of_descriptor(int fd) {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd);
}

Result<SharedSegment> SharedSegment::create() {
  const Result<int> fd = new_memory_file("mazurka-segment");
  if (!fd.ok()) return fd.error();
  if (ftruncate(fd.value(), sizeof(Segment)) != 0) {
    const Error error = system_error("cannot size the shared segment");
    close(fd.value());
    return error;
  }
  void* mapped = mmap(nullptr, sizeof(Segment), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      fd.value(), 0);
  if (mapped == MAP_FAILED) {
    const Error error = system_error("cannot map the shared segment");
    close(fd.value());
    return error;
  }
  auto* segment = static_cast<Segment*>(mapped);
  segment->magic = segment->canary = segment->last_canary = kSegmentMagic;
  segment->version = kVersion;
  segment->size_of_world = sizeof(World);
  return SharedSegment(fd.value(), segment);
}

SharedSegment::SharedSegment(SharedSegment&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), segment_(std::exchange(other.segment_, nullptr)) {}

SharedSegment::~SharedSegment() {
  if (segment_ != nullptr) munmap(segment_, sizeof(Segment));
  if (fd_ >= 0) close(fd_);
}

void SharedSegment::swap(SharedSegment& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(segment_, other.segment_);
}

std::string SharedSegment::path() const { return path_of_descriptor(fd_); }

uint32_t keep_text(Segment& segment, const std::string& text) {
  if (text.empty()) return 0;
  uint32_t& used = segment.kept_text_count;
  if (used == 0) used = 1;
  if (used + text.size() + 1 > kMaxKeptText) return 0;
  std::memcpy(segment.kept_text + used, text.c_str(), text.size() + 1);
  const uint32_t at = used;
  used += static_cast<uint32_t>(text.size() + 1);
  return at;
}

}  // namespace mazurka
