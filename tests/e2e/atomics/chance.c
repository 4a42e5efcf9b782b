// check: verdict=error findings=nondeterminism
// Chance decides which lock is taken: a finding, also in a program with locked instructions.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int count;
static pthread_mutex_t mutexes[64];

static void* adds(void* unused) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  return unused;
}

static unsigned long chance(void) {
  char text[4096] = "";
  FILE* file = fopen("/proc/self/schedstat", "r");
  const size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  unsigned long sum = 0;
  for (size_t i = 0; i < length; ++i) sum = 31 * sum + (unsigned char)text[i];
  return sum;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, adds, NULL);
  pthread_mutex_lock(&mutexes[chance() % 64]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
