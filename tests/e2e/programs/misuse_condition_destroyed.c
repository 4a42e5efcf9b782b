// expect: verdict=error findings=misuse
// Used after destroy; initialised again it is a new condition.
#include <pthread.h>

int main(void) {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_cond_signal(&condition);
  pthread_cond_destroy(&condition);
  pthread_cond_init(&condition, NULL);
  pthread_cond_signal(&condition);
  pthread_cond_destroy(&condition);
  pthread_cond_signal(&condition);  // mazurka: misuse
}
