// check: verdict=ok locked=yes executions=3
// check BROKEN: verdict=error findings=assertion locked=yes
// check NOBODY: verdict=error findings=divergence
// check UNSEEN: verdict=incomplete
// A loop that waits by plain loads. Where the word is exchanged, its loads are operations. Where it
// is only moved to (UNSEEN), the loop lets others move, every time alike, and is named: when it
// looks is not known. The word is nobody's then.
#include <assert.h>
#include <pthread.h>

static volatile int ready;
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* sends(void* unused) {
#ifdef BROKEN
  __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&mutex);
  data = 1;
  pthread_mutex_unlock(&mutex);
#else
  pthread_mutex_lock(&mutex);
  data = 1;
  pthread_mutex_unlock(&mutex);
#ifdef UNSEEN
  __atomic_fetch_add(&data, 0, __ATOMIC_SEQ_CST);
  ready = 1;
#elif !defined NOBODY
  __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
#endif
#endif
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_mutex_lock(&mutex);
  pthread_create(&other, NULL, sends, NULL);
  pthread_mutex_unlock(&mutex);
  while (!ready) __asm__ volatile("pause");
  pthread_mutex_lock(&mutex);
  assert(data == 1);
  pthread_mutex_unlock(&mutex);
  pthread_join(other, NULL);
}
