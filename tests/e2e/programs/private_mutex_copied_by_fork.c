// expect: executions=6 transitions=25 verdict=ok
// A mutex in private memory is two mutexes after fork: the child's copy is held by the child, the
// parent's is not touched.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  assert(pthread_mutex_lock(&lock) == 0);
  const pid_t child = fork();
  if (child == 0) {
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == 0);
    _exit(0);
  }
  assert(pthread_mutex_trylock(&lock) == EBUSY);
  assert(pthread_mutex_unlock(&lock) == 0);
  assert(wait(NULL) == child);
  return 0;
}
