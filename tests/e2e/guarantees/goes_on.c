// check --bound=5: verdict=incomplete
// check --depth=20: verdict=incomplete
// check --max-executions=1: verdict=incomplete
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* count(void* unused) {
  for (int i = 0; i < 10; ++i) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  count(NULL);
  pthread_join(thread, NULL);
}
