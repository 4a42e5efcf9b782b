// expect: executions=1 transitions=1 verdict=error findings=misuse
#include <pthread.h>

int main(void) {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_unlock(&lock);  // mazurka: misuse
}
