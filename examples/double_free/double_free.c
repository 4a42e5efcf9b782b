// Who comes last frees the buffer, but whether it was the last is asked in another critical
// section.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char* buffer;
static int users = 2;

static void* use(void* nothing) {
  pthread_mutex_lock(&mutex);
  --users;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  const int left = users;
  pthread_mutex_unlock(&mutex);
  if (left == 0) free(buffer);  // mazurka: memory
  return nothing;
}

int main(void) {
  buffer = malloc(40);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
