// expect: executions=1 transitions=3 verdict=ok
// A process that was forked, and has a pipe, creates a thread.
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void* run(void* unused) { return unused; }

int main(void) {
  int ends[2], status;
  assert(pipe(ends) == 0);
  if (fork() == 0) {
    pthread_t thread;
    assert(pthread_create(&thread, NULL, run, NULL) == 0 && pthread_join(thread, NULL) == 0);
    _exit(0);
  }
  assert(wait(&status) > 0 && status == 0);
  return 0;
}
