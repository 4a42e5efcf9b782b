// Whoever comes first decides which lock protects `total`: one lock in each execution, but not the
// same in all.
#include <pthread.h>

static pthread_mutex_t deciding = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t red = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t blue = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t* chosen;
static int total;

static void* add(void* mine) {
  pthread_mutex_lock(&deciding);
  if (chosen == NULL) chosen = mine;
  pthread_mutex_t* lock = chosen;
  pthread_mutex_unlock(&deciding);
  pthread_mutex_lock(lock);
  total++;
  pthread_mutex_unlock(lock);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, add, &red);
  pthread_create(&second, NULL, add, &blue);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
