// check: verdict=ok
// check --spurious: verdict=error findings=assertion
// An `if` guards the wait: a wake-up without a signal goes on too early.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_ready;

static void* make_ready(void* unused) {
  pthread_mutex_lock(&lock);
  is_ready = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, make_ready, NULL);
  pthread_mutex_lock(&lock);
  if (!is_ready) pthread_cond_wait(&changed, &lock);
  assert(is_ready);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
}
