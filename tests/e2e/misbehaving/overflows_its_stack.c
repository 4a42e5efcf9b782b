#include <pthread.h>

static int deeper(int depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  return deeper(depth + 1) + room[0];
}

static void* thread(void* unused) {
  deeper(0);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  return pthread_join(other, NULL);
}
