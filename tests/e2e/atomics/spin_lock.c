// check: verdict=ok locked=yes
// check BROKEN: verdict=error findings=assertion
// check PLAIN: verdict=ok locked=yes
// check PLAIN_AND_BROKEN: verdict=error findings=assertion
// A spin lock in assembly. A waiting loop is waited out; a release by a plain store is an
// operation, too, since the word is one that locked instructions use.
#include <assert.h>
#include <pthread.h>

#ifdef PLAIN_AND_BROKEN
#define PLAIN
#define BROKEN
#endif

static int word, value;
static pthread_mutex_t inside = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) {
  int one;
  do {
    one = 1;
    __asm__ volatile("xchg %0, %1" : "+r"(one), "+m"(word)::"memory");
  } while (one);
}

static void unlock(void) {
#ifdef PLAIN
  __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
#else
  __asm__ volatile("lock; decl %0" : "+m"(word)::"memory", "cc");
#endif
}

static void* adds(void* unused) {
  lock();
  const int seen = value;
#ifdef PLAIN
  pthread_mutex_lock(&inside);
  pthread_mutex_unlock(&inside);
#endif
#ifdef BROKEN
  unlock();
  lock();
#endif
  value = seen + 1;
  unlock();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, adds, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(value == 2);
}
