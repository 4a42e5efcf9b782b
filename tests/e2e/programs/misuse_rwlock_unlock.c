// expect: verdict=error findings=misuse
// The reader unlocks once too often; only if the writer is quick is it the writer's lock that is
// hit.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);  // mazurka: misuse
  pthread_join(thread, NULL);
}
