// expect: executions=8 transitions=46 verdict=ok
// Threads that open the file themselves keep each other out. Opening and closing are operations:
// which numbers they get depends on both.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

static int inside;

static void* worker(void* unused) {
  const int fd = open(LOCKED_FILE, O_RDWR);
  assert(flock(fd, LOCK_EX) == 0);
  assert(++inside == 1);
  --inside;
  assert(close(fd) == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
}
