#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  __asm__ volatile("int $0x80" ::"a"(252 /* exit_group, of 32 bits */), "b"(0) : "memory");
  return 0;
}
