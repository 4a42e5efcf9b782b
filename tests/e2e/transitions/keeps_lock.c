// One thread takes the lock and gives it back, the other takes it and keeps it while it waits. They
// do not commute, although the first one leaves the lock as it was: if the second comes first,
// nobody can go on.
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* passes(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  sem_post(&sem);
  return unused;
}

static void* keeps(void* unused) {
  pthread_mutex_lock(&lock);
  sem_wait(&sem);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&sem, 0, 0);
  pthread_create(&threads[0], 0, passes, 0);
  pthread_create(&threads[1], 0, keeps, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
