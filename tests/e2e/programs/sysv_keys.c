// expect: executions=2 transitions=12 verdict=ok
// Two processes make a set by the same key, exclusively: one does, the other finds it. IPC_RMID
// wakes who waits with EIDRM and frees the key.
#include <assert.h>
#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

static const key_t kKey = 0x1234;

// Returns whether this process made it.
static int make(int* set) {
  *set = semget(kKey, 1, IPC_CREAT | IPC_EXCL | 0600);
  if (*set >= 0) return 1;
  assert(errno == EEXIST);
  return 0;
}

int main(void) {
  int set;
  const pid_t child = fork();
  if (child == 0) _exit(make(&set));
  const int made = make(&set);
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) + made == 1);
  set = semget(kKey, 1, 0);
  assert(set >= 0 && semget(kKey, 2, 0) == -1 && errno == EINVAL);

  const pid_t waiter = fork();
  if (waiter == 0) {
    struct sembuf down = {.sem_op = -1};
    assert(semop(set, &down, 1) == -1 &&
           (errno == EIDRM || errno == EINVAL));  // waiting, or too late
    _exit(0);
  }
  assert(semctl(set, 0, IPC_RMID) == 0);
  assert(waitpid(waiter, &status, 0) == waiter && status == 0);
  assert(semget(kKey, 1, 0) == -1 && errno == ENOENT);
  const int second = semget(kKey, 1, IPC_CREAT | 0600);
  assert(second >= 0 && second != set && semctl(second, 0, IPC_RMID) == 0);
  return 0;
}
