// expect: executions=1 transitions=1 verdict=error findings=misuse
// A semaphore has no static initialiser.
#include <semaphore.h>

static sem_t semaphore;

int main(void) {
  sem_post(&semaphore);  // mazurka: misuse
}
