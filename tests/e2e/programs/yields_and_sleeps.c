// expect: executions=2 transitions=14 verdict=ok
// Pauses are invisible, up to 64 in a row. A loop that does nothing but pause, and comes round to
// the state that it was in, waits until another thread has moved: lock, (wait), unlock, wait, join.
// One that looks at the clock sees more and more time pass.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int done;
static sem_t go;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  done = 1;
  return unused;
}

static void* waiter(void* unused) {
  sem_wait(&go);
  return unused;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 1000; ++i) usleep(1000);  // alone: nobody to wait for

  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  while (!done) sched_yield();
  assert(pthread_join(thread, NULL) == 0);

  assert(sem_init(&go, 0, 0) == 0);
  assert(pthread_create(&thread, NULL, waiter, NULL) == 0);
  for (int i = 0; i < 5; ++i) usleep(1000);
  sem_post(&go);
  time_t deadline = time(NULL) + 3600;
  while (time(NULL) < deadline) sched_yield();
  assert(pthread_join(thread, NULL) == 0);
}
