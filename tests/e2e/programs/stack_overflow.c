// expect: verdict=error findings=crash
// A thread that needs more stack than it has crashes, whoever has the next stack below: the others
// find theirs as it was.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turn;

static int deep(int level) {
  volatile char bytes[4096];
  memset((void*)bytes, 1, sizeof bytes);  // mazurka: crash
  return deep(level + 1) + bytes[level % 4096];
}

static void* work(void* number) {
  char mine[4096] = {0};
  pthread_mutex_lock(&mutex);
  const int at = turn++;
  pthread_mutex_unlock(&mutex);
  if (at == 1 && number == NULL) return (void*)(long)deep(0);
  for (unsigned i = 0; i < sizeof mine; ++i) assert(mine[i] == 0);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, i == 1 ? NULL : &turn);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
