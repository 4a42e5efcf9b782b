// check -mrdrnd: verdict=incomplete
// It asks the processor for a random number; what it would do with it is not the same in two runs.
#include <immintrin.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* ask(void* unused) {
  unsigned number = 0;
  _rdrand32_step(&number);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, ask, NULL);
  ask(NULL);
  pthread_join(thread, NULL);
}
