// expect: exit=1 finding=assertion
// The error takes ten steps of one thread: bounds of 4 and 8 do not reach it, and are searched to
// their ends before.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static void* counter(void* unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    assert(++rounds < 5);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, counter, NULL);
  for (;;) {
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
  }
}
