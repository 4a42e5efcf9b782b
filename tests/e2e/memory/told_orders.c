// What a program tells ThreadSanitizer by itself: orders count, and locks of its own making.
// check: verdict=ok orders=weak
// check BROKEN: verdict=error findings=race orders=weak
#include <stdbool.h>

#include "parallel.h"

void AnnotateHappensBefore(const char* file, int line, const volatile void* address);
void AnnotateHappensAfter(const char* file, int line, const volatile void* address);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void __tsan_mutex_pre_lock(void* mutex, unsigned flags);
void __tsan_mutex_post_lock(void* mutex, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void* mutex, unsigned flags);
void __tsan_mutex_post_unlock(void* mutex, unsigned flags);

int data, other, third, own_lock;
bool relaxed_flag;

void* sends(void* unused) {
  data = 1;  // mazurka[BROKEN]: race
  other = 1;
  __tsan_release(&other);
#ifndef BROKEN
  AnnotateHappensBefore(__FILE__, __LINE__, &data);
#endif
  __atomic_store_n(&relaxed_flag, true, __ATOMIC_RELAXED);
  return NULL;
}

void* receives(void* unused) {
  if (!__atomic_load_n(&relaxed_flag, __ATOMIC_RELAXED)) return NULL;
  AnnotateHappensAfter(__FILE__, __LINE__, &data);
  data = 2;  // mazurka[BROKEN]: race
  __tsan_acquire(&other);
  other = 2;
  return NULL;
}

int main() {
  __tsan_mutex_pre_lock(&own_lock, 0);
  __tsan_mutex_post_lock(&own_lock, 0, 0);
  third = 1;
  __tsan_mutex_pre_unlock(&own_lock, 0);
  __tsan_mutex_post_unlock(&own_lock, 0);
  both(sends, receives);
}
