// getrandom, arc4random, std::random_device and the random devices.
#include "runtime/core/random_calls.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/raw.h"
#include "runtime/core/runtime.h"
#include "runtime/reset/kernel_effects.h"

namespace mazurka {
namespace {

// Private memory: fork copies it, and the child, which is another thread, begins a sequence of its
// own.
uint32_t drawn[kMaxThreads];

// splitmix64: one step from any seed to a well-mixed number.
uint64_t mix(uint64_t seed) {
  seed += 0x9e37'79b9'7f4a'7c15;
  seed = (seed ^ (seed >> 30)) * 0xbf58'476d'1ce4'e5b9;
  seed = (seed ^ (seed >> 27)) * 0x94d0'49bb'1331'11eb;
  return seed ^ (seed >> 31);
}

// More than programs read for a seed or a key; then the device ends.
constexpr size_t kDeviceBytes = 1 << 16;

bool fill_device(int fd) {
  uint64_t block[512];
  for (size_t done = 0; done < kDeviceBytes; done += sizeof block) {
    fill_random(block, sizeof block);
    const long offset = static_cast<long>(done);
    if (program_syscall(SYS_pwrite64, fd, address_of(block), sizeof block, offset) != sizeof block)
      return false;
  }
  return true;
}

}  // namespace

uint64_t draw_random() {
  const uint16_t me = index(current_thread());
  const uint64_t who = segment().names.threads[me].slot;
  return mix(mix(who) + drawn[me]++);
}

void fill_random(void* bytes, size_t count) {
  char* next = static_cast<char*>(bytes);
  while (count > 0) {
    const uint64_t number = draw_random();
    const size_t part = count < sizeof number ? count : sizeof number;
    memcpy(next, &number, part);
    next += part;
    count -= part;
  }
}

bool is_random_device(const char* path) {
  return path != nullptr && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
}

int open_random_device(int flags) {
  const long close_on_exec = flags & O_CLOEXEC ? MFD_CLOEXEC : 0;
  const int fd =
      static_cast<int>(program_syscall(SYS_memfd_create, address_of("random"), close_on_exec));
  if (fd < 0 || fill_device(fd)) return fd;
  program_syscall(SYS_close, fd);
  return -ENFILE;
}

}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT ssize_t getrandom(void* bytes, size_t count, unsigned flags) {
  if (!attached()) return REAL(getrandom)(bytes, count, flags);
  fill_random(bytes, count);
  return static_cast<ssize_t>(count);
}

MAZURKA_EXPORT int getentropy(void* bytes, size_t count) {
  if (!attached()) return REAL(getentropy)(bytes, count);
  constexpr size_t kMost = 256;
  if (count > kMost) {
    errno = EIO;
    return -1;
  }
  fill_random(bytes, count);
  return 0;
}

MAZURKA_EXPORT uint32_t arc4random() {
  if (!attached()) return REAL(arc4random)();
  return static_cast<uint32_t>(draw_random());
}

MAZURKA_EXPORT void arc4random_buf(void* bytes, size_t count) {
  if (!attached()) return REAL(arc4random_buf)(bytes, count);
  fill_random(bytes, count);
}

MAZURKA_EXPORT uint32_t arc4random_uniform(uint32_t bound) {
  if (!attached()) return REAL(arc4random_uniform)(bound);
  return bound < 2 ? 0 : static_cast<uint32_t>(draw_random() % bound);
}

// unsigned std::random_device::_M_getval(). By itself it would ask the processor (RDRAND), which
// nobody can intercept. Bound to the C++ library's only if somebody calls it: that library need not
// be there.
MAZURKA_EXPORT unsigned random_device_value(void* self) __asm__("_ZNSt13random_device9_M_getvalEv");
unsigned random_device_value(void* self) {
  if (attached()) return static_cast<unsigned>(draw_random());
  void* const real = real_function("_ZNSt13random_device9_M_getvalEv");
  return reinterpret_cast<unsigned (*)(void*)>(real)(self);
}
