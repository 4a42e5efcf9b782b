// expect: executions=3 transitions=7 verdict=error findings=assertion
// Two sleeps in a row are no proof that another thread has moved.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t ready;

static void* prepare(void* unused) {
  sem_post(&ready);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&ready, 0, 0);
  assert(pthread_create(&thread, NULL, prepare, NULL) == 0);
  sleep(1);
  sleep(1);
  assert(sem_trywait(&ready) == 0);  // mazurka: assertion
  assert(pthread_join(thread, NULL) == 0);
}
