// expect: executions=102 transitions=721 verdict=ok
// Mutexes that know their owner: recursive ones count, error-checking ones complain. Static
// initialisers and attributes.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking;
static int inside;

static void* thread_main(void* unused) {
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(inside == 0);
  inside = 1;
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(inside == 1);
  assert(pthread_mutex_unlock(&recursive) == 0);
  inside = 0;  // what follows a call belongs to its transition
  assert(pthread_mutex_unlock(&checking) == EPERM);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  assert(pthread_mutexattr_init(&attributes) == 0);
  assert(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK) == 0);
  assert(pthread_mutex_init(&checking, &attributes) == 0);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, thread_main, NULL) == 0);
  assert(pthread_mutex_lock(&checking) == 0);
  assert(pthread_mutex_lock(&checking) == EDEADLK);
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(inside == 0);
  inside = 2;
  assert(pthread_mutex_trylock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(inside == 2);
  assert(pthread_mutex_unlock(&recursive) == 0);
  inside = 0;
  assert(pthread_mutex_unlock(&checking) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_mutex_destroy(&checking) == 0);
}
