// A semaphore with a name, opened before main and by two threads, protects a number. BROKEN: only
// one of them takes it.
// check: verdict=ok builds=two
// check BROKEN: verdict=error findings=race builds=two
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static int number;

__attribute__((constructor)) static void make(void) {
  if (sem_open("/mazurka_named", O_CREAT, 0600, 1) == SEM_FAILED) abort();
}

static void add(int takes) {
  sem_t* const semaphore = sem_open("/mazurka_named", 0);
  if (semaphore == SEM_FAILED) abort();
  if (takes) sem_wait(semaphore);
  ++number;  // mazurka: race
  if (takes) sem_post(semaphore);
}

static void* run(void* unused) {
#ifdef BROKEN
  add(0);
#else
  add(1);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  add(1);
  pthread_join(thread, 0);
  sem_unlink("/mazurka_named");
  return 0;
}
