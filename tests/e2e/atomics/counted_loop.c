// check: verdict=ok locked=yes
// check GIVES_UP: verdict=error findings=assertion
// check BALANCED: verdict=ok locked=yes executions=6
// A loop that counts its rounds in memory does not come round to the same state: so its way out is
// run. One that puts back what it has written does.
#include <assert.h>
#include <pthread.h>

static int word, rounds, has_given_up;

static int try_lock(void) {
  int one = 1;
  __asm__ volatile("xchg %0, %1" : "+r"(one), "+m"(word)::"memory");
  return !one;
}

static void unlock(void) { __asm__ volatile("lock; decl %0" : "+m"(word)::"memory", "cc"); }

static void* patient(void* unused) {
  while (!try_lock()) {
#ifdef BALANCED
    ++*(volatile int*)&rounds;
    --*(volatile int*)&rounds;
#endif
  }
  unlock();
  return unused;
}

static void* impatient(void* unused) {
  while (!try_lock()) {
    if (++rounds == 3) {
      has_given_up = 1;
      return unused;
    }
  }
  unlock();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, patient, NULL);
#ifdef BALANCED
  pthread_create(&threads[1], NULL, patient, NULL);
#else
  pthread_create(&threads[1], NULL, impatient, NULL);
#endif
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
#ifdef GIVES_UP
  assert(!has_given_up);
#endif
}
