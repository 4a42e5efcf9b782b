// Memory that two processes share after fork.
// check: verdict=ok
// check BROKEN: verdict=error findings=race
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parallel.h"

struct Shared {
  pthread_mutex_t mutex;
  int counter;
  int private_to_parent;
};
struct Shared* shared;
int copied;  // each process has its own

void count(void) {
#ifndef BROKEN
  pthread_mutex_lock(&shared->mutex);
#endif
  ++shared->counter;  // mazurka: race
#ifndef BROKEN
  pthread_mutex_unlock(&shared->mutex);
#endif
  ++copied;
}

int main() {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &attributes);
  const pid_t child = fork();
  count();
  if (child == 0) _exit(0);
  shared->private_to_parent = 1;
  waitpid(child, NULL, 0);
#ifndef BROKEN
  assert(shared->counter == 2);
#endif
  assert(copied == 1);
}
