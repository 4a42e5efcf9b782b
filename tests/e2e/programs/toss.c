// expect: executions=36 transitions=96 verdict=ok
// A toss has every result from 0 to n, and it stays what it was.
#include <mazurka/mazurka.h>
#include <pthread.h>

static void* tosser(void* unused) {
  int first = mz_toss(1);
  mz_assert(first == 0 || first == 1);
  return unused;
}

int main(void) {
  int none = mz_toss(0);
  mz_assert(none == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, tosser, NULL);
  int first = mz_toss(2), second = mz_toss(first);
  mz_assert(first >= 0 && first <= 2 && second >= 0 && second <= first);
  pthread_join(thread, NULL);
}
