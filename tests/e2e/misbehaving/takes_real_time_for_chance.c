// Does something else on each run: which mutex it locks depends on the real clock.
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void* thread(void* unused) {
  struct timespec now;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_clock_gettime), "D"(CLOCK_MONOTONIC), "S"(&now)
                   : "rcx", "r11", "memory");
  pthread_mutex_t* mutex = &mutexes[now.tv_nsec / 64 % 2];
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, thread, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return 0;
}
