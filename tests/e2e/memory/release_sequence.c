// By C11 and C17, a release sequence goes on with later stores of the thread that began it.
// BETWEEN: what was written after its release is not told. OTHER: another thread's store ends it.
// UPDATED: an update by another thread continues it, and the first thread's store then tells what
// the first thread has told alone: UPDATER reads what the other did.
// check: verdict=ok orders=weak
// check BETWEEN: verdict=error findings=race orders=weak
// check OTHER: verdict=error findings=race orders=weak
// check UPDATED: verdict=ok orders=weak
// check UPDATER: verdict=error findings=race orders=weak
#include <stdatomic.h>

#include "parallel.h"

atomic_int turn;
atomic_int seen;
int data;
int others;

#define RELAXED memory_order_relaxed
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire

void await(int value) {
  while (atomic_load_explicit(&seen, RELAXED) != value) {
  }
}

void* tells(void* unused) {
#ifndef BETWEEN
  data = 1;  // mazurka: race
#endif
  atomic_store_explicit(&turn, 1, RELEASE);
#ifdef BETWEEN
  data = 1;  // mazurka: race
#endif
#if defined OTHER || defined UPDATED || defined UPDATER
  await(1);
#endif
#ifndef OTHER
  atomic_store_explicit(&turn, 3, RELAXED);
#endif
  return NULL;
}

void* continues(void* unused) {
#if defined OTHER || defined UPDATED || defined UPDATER
  while (atomic_load_explicit(&turn, RELAXED) != 1) {
  }
  others = 1;  // mazurka[UPDATER]: race
#ifdef OTHER
  atomic_store_explicit(&turn, 3, RELAXED);
#else
  atomic_fetch_add_explicit(&turn, 1, RELEASE);
#endif
  atomic_store_explicit(&seen, 1, RELAXED);
#endif
  while (atomic_load_explicit(&turn, ACQUIRE) != 3) {
  }
#ifdef UPDATER
  return NULL;
#endif
  return data == 1 ? NULL : unused;  // mazurka: race
}

#ifdef UPDATER
void* looks(void* unused) {
  while (atomic_load_explicit(&turn, ACQUIRE) != 3) {
  }
  return others == 1 ? NULL : unused;  // mazurka[UPDATER]: race
}
#endif

int main() {
#ifdef UPDATER
  pthread_t third;
  pthread_create(&third, NULL, looks, NULL);
#endif
  both(tells, continues);
#ifdef UPDATER
  pthread_join(third, NULL);
#endif
}
