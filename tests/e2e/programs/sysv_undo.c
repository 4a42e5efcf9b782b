// expect: executions=2 transitions=12 verdict=ok
// SEM_UNDO gives back at the end of a process what it took, however it ends; and not before.
#include <assert.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const int set = semget(IPC_PRIVATE, 2, 0600);
  struct sembuf take = {.sem_num = 0, .sem_op = -1, .sem_flg = SEM_UNDO};
  struct sembuf plain = {.sem_num = 0, .sem_op = -1};
  struct sembuf tell = {.sem_num = 1, .sem_op = 1};
  struct sembuf hear = {.sem_num = 1, .sem_op = -1};
  assert(semctl(set, 0, SETVAL, 1) == 0);
  const pid_t child = fork();
  if (child == 0) {
    assert(semop(set, &take, 1) == 0);
    assert(semop(set, &tell, 1) == 0);
    _exit(0);
  }
  assert(semop(set, &hear, 1) == 0);
  assert(semop(set, &plain, 1) == 0);  // enabled once the child has ended
  assert(semctl(set, 0, GETVAL) == 0);
  assert(waitpid(child, 0, WNOHANG) == child);
  assert(semctl(set, 0, IPC_RMID) == 0);
  return 0;
}
