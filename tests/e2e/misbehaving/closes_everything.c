// Legal, if odd: all descriptors closed, another working directory, signals ignored, a thread never
// joined.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* thread(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t other;
  for (int i = 0; i < 1024; ++i) close(i);
  closefrom(0);
  if (chdir("/") != 0) return 3;
  signal(SIGTERM, SIG_IGN);
  signal(SIGCHLD, SIG_IGN);
  pthread_create(&other, NULL, thread, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
