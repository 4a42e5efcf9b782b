// Streams on pipes and sockets (popen, fdopen). libc reads and writes its own streams by calls that
// we do not see, and that would block the only thread that runs; so these are streams of ours,
// which come back to our own read and write.
#include <stdio.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/core/blocking.h"
#include "runtime/core/raw.h"
#include "runtime/reset/kernel_effects.h"

namespace mazurka {
namespace {

struct OwnStream {
  FILE* stream;  // null: free
  int fd;
};
// Private memory: fork copies it along with the streams.
OwnStream own_streams[256];

OwnStream* find(const FILE* stream) {
  for (OwnStream& own : own_streams) {
    if (own.stream == stream) return &own;
  }
  return nullptr;
}

ssize_t read_from(void* own, char* bytes, size_t count) {
  return read(static_cast<OwnStream*>(own)->fd, bytes, count);
}

ssize_t write_to(void* own, const char* bytes, size_t count) {
  const ssize_t written = write(static_cast<OwnStream*>(own)->fd, bytes, count);
  return written < 0 ? 0 : written;  // how fopencookie wants an error
}

int close_stream(void* cookie) {
  OwnStream* const own = static_cast<OwnStream*>(cookie);
  const int fd = own->fd;
  *own = {};
  return close(fd);
}

FILE* make_stream(int fd, const char* mode) {
  OwnStream* const own = find(nullptr);
  if (own == nullptr) return nullptr;
  FILE* const stream = fopencookie(own, mode, {read_from, write_to, nullptr, close_stream});
  if (stream != nullptr) *own = {stream, fd};
  return stream;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT FILE* fdopen(int fd, const char* mode) {
  const bool may_block = attached() && other_side(fd) != OtherSide::Nobody;
  FILE* const ours = may_block ? make_stream(fd, mode) : nullptr;
  return ours != nullptr ? ours : REAL(fdopen)(fd, mode);
}

MAZURKA_EXPORT int fileno(FILE* stream) {
  const OwnStream* const own = attached() ? find(stream) : nullptr;
  return own != nullptr ? own->fd : REAL(fileno)(stream);
}

MAZURKA_EXPORT int fileno_unlocked(FILE* stream) {
  const OwnStream* const own = attached() ? find(stream) : nullptr;
  return own != nullptr ? own->fd : REAL(fileno_unlocked)(stream);
}
