// expect: verdict=ok
// Two threads take locks in opposite orders, but one of them gives up: nothing lasts.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void* from_left(void* unused) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return unused;
}

static void* from_right(void* unused) {
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  ++soon.tv_sec;
  pthread_mutex_lock(&right);
  if (pthread_mutex_timedlock(&left, &soon) == 0) pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, from_left, NULL);
  pthread_create(&thread, NULL, from_right, NULL);
  return 0;
}
