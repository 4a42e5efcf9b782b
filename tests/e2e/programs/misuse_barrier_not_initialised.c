// expect: executions=1 transitions=1 verdict=error findings=misuse
#include <pthread.h>
#include <string.h>

int main(void) {
  pthread_barrier_t barrier;
  memset(&barrier, 1, sizeof barrier);
  pthread_barrier_wait(&barrier);  // mazurka: misuse
}
