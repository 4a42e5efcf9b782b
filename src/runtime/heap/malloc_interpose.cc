// The C names of the allocator, which take the place of libc's in the whole program. The C++
// operators call these. The rest of glibc's (malloc_info, malloc_stats) speaks of its own, empty
// heap: harmless.
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/accesses/annotated_blocks.h"
#include "runtime/accesses/race_shadow.h"
#include "runtime/heap/allocator.h"
#include "runtime/heap/heap_history.h"
#include "runtime/heap/reuse.h"
#include "runtime/patches/unseen_stores.h"

namespace {

constexpr size_t kPage = 4096;

using mazurka::history_is_kept;

void* noted(void* address, const void* caller) {
  if (__builtin_expect(history_is_kept, 0)) mazurka::note_allocated(address, caller);
  if (__builtin_expect(mazurka::shadow_pieces != nullptr, 0))
    mazurka::check_allocation(address, caller);
  if (__builtin_expect(mazurka::allocations_are_annotated, 0))
    mazurka::note_allocation(address, caller);
  return address;
}

void* allocated(size_t size, const void* caller) {
  if (__builtin_expect(mazurka::reuse_is_watched, 0)) {
    if (void* const block = mazurka::take_reused_block(size, caller)) return block;
  }
  return mazurka::heap_allocate(size, caller);
}

void* allocated_zeroed(size_t size, const void* caller) {
  if (__builtin_expect(mazurka::reuse_is_watched, 0)) {
    if (void* const block = mazurka::take_reused_block(size, caller)) {
      void* to = block;
      asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(0) : "memory");
      return block;
    }
  }
  return mazurka::heap_allocate_zeroed(size, caller);
}

void* or_enomem(void* address, const void* caller) {
  if (__builtin_expect(address == nullptr, 0)) errno = ENOMEM;
  return noted(address, caller);
}

void release(void* address, const void* caller) {
  if (__builtin_expect(mazurka::shadow_pieces != nullptr, 0)) mazurka::check_free(address, caller);
  if (__builtin_expect(mazurka::watched_word_count != 0, 0))
    mazurka::forget_words(address, mazurka::heap_size(address));
  if (__builtin_expect(mazurka::reuse_is_watched, 0)) mazurka::give_back_block(address, caller);
  mazurka::heap_free(address, caller);
  if (__builtin_expect(history_is_kept, 0)) mazurka::note_freed(address, caller);
}

void* resize(void* address, size_t size, const void* caller) {
  if (address == nullptr) return or_enomem(allocated(size, caller), caller);
  if (size == 0) {  // as glibc does it
    release(address, caller);
    return nullptr;
  }
  // The old block ends, whether or not the new one lies in its place.
  if (__builtin_expect(mazurka::shadow_pieces != nullptr, 0)) mazurka::check_free(address, caller);
  if (__builtin_expect(mazurka::watched_word_count != 0, 0))
    mazurka::forget_words(address, mazurka::heap_size(address));
  void* moved = mazurka::heap_reallocate(address, size, caller);
  if (__builtin_expect(history_is_kept, 0) && moved != address && moved != nullptr)
    mazurka::note_freed(address, caller);
  return or_enomem(moved, caller);
}

void* aligned(size_t alignment, size_t size, const void* caller) {
  size_t power = 16;
  while (power < alignment && power <= SIZE_MAX / 2) power *= 2;
  return or_enomem(mazurka::heap_allocate_aligned(power, size, caller), caller);
}

bool is_power_of_two(size_t number) { return number != 0 && (number & (number - 1)) == 0; }

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

#define CALLER __builtin_return_address(0)

void* malloc(size_t size) { return or_enomem(allocated(size, CALLER), CALLER); }

void free(void* address) { release(address, CALLER); }

// Old programs bind to it although no header declares it any more.
void cfree(void* address) { release(address, CALLER); }

void* calloc(size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  return or_enomem(allocated_zeroed(bytes, CALLER), CALLER);
}

void* realloc(void* address, size_t size) { return resize(address, size, CALLER); }

void* reallocarray(void* address, size_t count, size_t size) {
  size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return resize(address, bytes, CALLER);
  errno = ENOMEM;
  return nullptr;
}

void* memalign(size_t alignment, size_t size) { return aligned(alignment, size, CALLER); }

void* aligned_alloc(size_t alignment, size_t size) {
  if (is_power_of_two(alignment)) return aligned(alignment, size, CALLER);
  errno = EINVAL;
  return nullptr;
}

int posix_memalign(void** address, size_t alignment, size_t size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* block = noted(mazurka::heap_allocate_aligned(alignment, size, CALLER), CALLER);
  if (block == nullptr) return ENOMEM;
  *address = block;
  return 0;
}

void* valloc(size_t size) { return aligned(kPage, size, CALLER); }

void* pvalloc(size_t size) {
  return aligned(kPage, size > SIZE_MAX - kPage ? size : (size + kPage - 1) / kPage * kPage,
                 CALLER);
}

// The operators that free memory: who called them is lost inside the C++ library.
#define DELETE_OPERATOR(symbol, ...)                                               \
  void mazurka_delete##symbol(void* address, ##__VA_ARGS__) __asm__("_Z" #symbol); \
  void mazurka_delete##symbol(void* address, ##__VA_ARGS__) { release(address, CALLER); }
DELETE_OPERATOR(dlPv)
DELETE_OPERATOR(daPv)
DELETE_OPERATOR(dlPvm, size_t)
DELETE_OPERATOR(daPvm, size_t)
DELETE_OPERATOR(dlPvSt11align_val_t, size_t)
DELETE_OPERATOR(daPvSt11align_val_t, size_t)
DELETE_OPERATOR(dlPvmSt11align_val_t, size_t, size_t)
DELETE_OPERATOR(daPvmSt11align_val_t, size_t, size_t)
DELETE_OPERATOR(dlPvRKSt9nothrow_t, const void*)
DELETE_OPERATOR(daPvRKSt9nothrow_t, const void*)

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
