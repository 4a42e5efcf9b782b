// erand48 takes a factor that all threads share. It is the same in all of them until lcong48 sets
// one: that is named where others may draw.
// check: verdict=ok
// check FACTOR: verdict=incomplete says=lcong48
// check BACK: verdict=incomplete says=lcong48
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned short factor[7] = {1, 2, 3, 4, 5, 6, 7};

static void* draw(void* unused) {
  unsigned short own[3] = {1, 2, 3};
  pthread_mutex_lock(&mutex);
  nrand48(own);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
#ifdef BACK
  lcong48(factor);
#endif
  pthread_t thread;
  pthread_create(&thread, 0, draw, 0);
#ifdef FACTOR
  lcong48(factor);
#endif
  srand48(1);
  draw(0);
  pthread_join(thread, 0);
  return 0;
}
