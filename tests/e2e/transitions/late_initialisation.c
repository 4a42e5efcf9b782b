// The system of Stoller's section 9: v := 1 may come after v := 2, without the lock; but where
// invisible operations go first, it always comes before. The discipline MLD' sees it all the same.
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int v;

static void* first(void* unused) {
  sem_post(&sem);
  v = 1;
  return unused;
}

static void* second(void* unused) {
  sem_wait(&sem);
  pthread_mutex_lock(&lock);
  v = 2;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&sem, 0, 0);
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
