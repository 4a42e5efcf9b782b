// A mutex in memory that two processes share, made and locked on both sides. BUG: the memory is
// private, so the child's post is lost.
// check: verdict=ok
// check BUG: verdict=error findings=deadlock
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

#ifdef BUG
enum { kSharing = MAP_PRIVATE };
#else
enum { kSharing = MAP_SHARED };
#endif

int main(void) {
  const long at = call6(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, kSharing | MAP_ANONYMOUS, -1, 0);
  sem_t* const semaphore = (sem_t*)at;
  sem_init(semaphore, 1, 0);
  const long child = CALL(SYS_fork, 0, 0, 0);
  if (child == 0) {
    sem_post(semaphore);
    CALL(SYS_exit_group, 0, 0, 0);
  }
  sem_wait(semaphore);
  CALL(SYS_wait4, child, 0, 0);
  return 0;
}
