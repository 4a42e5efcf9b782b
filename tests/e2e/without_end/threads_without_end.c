// expect: exit=3 says=executions_were_cut_at_a_limit_of_Mazurka's:_more_threads options=--timeout=20
// More threads than there are names for.
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
  for (;;) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0) return 1;
  }
}
