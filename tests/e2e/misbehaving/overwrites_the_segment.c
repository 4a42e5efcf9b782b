// The program writes where Mazurka's shared segment lies.
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  memset((void*)0x700000000000, 0x5a, 1 << 20);
  pthread_mutex_unlock(&mutex);
  return 0;
}
