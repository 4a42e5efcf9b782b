// check: verdict=incomplete
// What it does depends on a file that has another text whenever it is read.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int draw(void) {
  FILE* const file = fopen("/proc/sys/kernel/random/uuid", "r");
  const int digit = fgetc(file);
  fclose(file);
  return digit % 2;
}

static void* work(void* unused) {
  for (int i = draw(); i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
}
