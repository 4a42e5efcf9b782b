// The C names of the allocator, which take the place of libc's in the whole program. The C++
// operators call these. The rest of glibc's (malloc_info, malloc_stats) speaks of its own, empty
// heap: harmless.
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/allocator.h"
#include "runtime/raw.h"

namespace {

constexpr size_t kPage = 4096;

void* or_enomem(void* address) {
  if (__builtin_expect(address == nullptr, 0)) errno = ENOMEM;
  return address;
}

bool is_power_of_two(size_t number) { return number != 0 && (number & (number - 1)) == 0; }

}  // namespace

// What libc would do. Whoever can make a finding of it defines the strong one.
[[gnu::weak]] void mazurka::allocator_report(const char* what, void*) {
  raw_syscall(SYS_write, 2, address_of(what), static_cast<long>(strlen(what)));
  raw_syscall(SYS_write, 2, address_of("\n"), 1);
  abort();
}

#pragma GCC visibility push(default)
extern "C" {

void* malloc(size_t size) { return or_enomem(mazurka::heap_allocate(size)); }

void free(void* address) { mazurka::heap_free(address); }

// Old programs bind to it although no header declares it any more.
void cfree(void* address) { mazurka::heap_free(address); }

void* calloc(size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  return or_enomem(mazurka::heap_allocate_zeroed(bytes));
}

void* realloc(void* address, size_t size) {
  if (address == nullptr) return or_enomem(mazurka::heap_allocate(size));
  if (size == 0) {  // as glibc does it
    mazurka::heap_free(address);
    return nullptr;
  }
  return or_enomem(mazurka::heap_reallocate(address, size));
}

void* reallocarray(void* address, size_t count, size_t size) {
  size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return realloc(address, bytes);
  errno = ENOMEM;
  return nullptr;
}

void* memalign(size_t alignment, size_t size) {
  size_t power = 16;
  while (power < alignment && power <= SIZE_MAX / 2) power *= 2;
  return or_enomem(mazurka::heap_allocate_aligned(power, size));
}

void* aligned_alloc(size_t alignment, size_t size) {
  if (is_power_of_two(alignment)) return memalign(alignment, size);
  errno = EINVAL;
  return nullptr;
}

int posix_memalign(void** address, size_t alignment, size_t size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* block = mazurka::heap_allocate_aligned(alignment, size);
  if (block == nullptr) return ENOMEM;
  *address = block;
  return 0;
}

void* valloc(size_t size) { return memalign(kPage, size); }

void* pvalloc(size_t size) {
  return memalign(kPage, size > SIZE_MAX - kPage ? size : (size + kPage - 1) / kPage * kPage);
}

size_t malloc_usable_size(void* address) { return mazurka::heap_size(address); }

int malloc_trim(size_t) { return 0; }

int mallopt(int, int) { return 1; }

struct mallinfo mallinfo() {
  return {};
}

struct mallinfo2 mallinfo2() {
  return {};
}

}  // extern "C"
#pragma GCC visibility pop
