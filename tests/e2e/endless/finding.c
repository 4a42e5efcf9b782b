// An error in each execution, with a schedule of hundreds of steps of which none can be left out.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* worker(void* unused) {
  for (int i = 0; i < 150; ++i) {
    pthread_mutex_lock(&mutex);
    ++count;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  assert(count != 600);
  return 0;
}
