// expect: verdict=error findings=assertion
// In one order the mutex is in the first block that is allocated, in the other one at the same
// address, but in the second.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct Shared {
  long others[50];
  pthread_mutex_t mutex;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_set;
static struct Shared* volatile shared;

static void* set(void* unused) {
  pthread_mutex_lock(&mutex);
  is_set = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* look(void* unused) {
  pthread_mutex_lock(&shared->mutex);
  pthread_mutex_unlock(&shared->mutex);
  return unused;
}

int main(void) {
  pthread_t setter, looker;
  pthread_create(&setter, NULL, set, NULL);
  pthread_mutex_lock(&mutex);
  const int was_set = is_set;
  pthread_mutex_unlock(&mutex);
  if (!was_set) {
    shared = malloc(sizeof *shared);
    free(shared);
  }
  shared = malloc(sizeof *shared);
  pthread_mutex_init(&shared->mutex, NULL);
  pthread_create(&looker, NULL, look, NULL);
  look(NULL);
  pthread_join(looker, NULL);
  pthread_join(setter, NULL);
  assert(!was_set);  // mazurka: assertion
}
