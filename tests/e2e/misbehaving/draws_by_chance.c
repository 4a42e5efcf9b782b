// Does something else on each run: which mutex it locks depends on a file of the kernel's that has
// another text whenever it is read.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static int draw(void) {
  char digit = 0;
  FILE* file = fopen("/proc/sys/kernel/random/uuid", "r");
  if (file == NULL || fread(&digit, 1, 1, file) != 1) abort();
  fclose(file);
  return digit % 2;
}

static void* thread(void* unused) {
  pthread_mutex_t* mutex = &mutexes[draw()];
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
