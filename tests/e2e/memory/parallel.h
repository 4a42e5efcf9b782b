// Threads for small programs.
#pragma once

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

// Runs both at the same time, and waits for them.
static inline void both(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

// Runs body(0) to body(count - 1) at the same time, and waits for them.
static inline void all(long count, void* (*body)(void*)) {
  pthread_t threads[64];
  for (long i = 0; i < count; ++i) pthread_create(&threads[i], NULL, body, (void*)i);
  for (long i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}
