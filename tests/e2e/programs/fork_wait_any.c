// expect: executions=6 transitions=24 verdict=ok
// wait() returns each ended child once, whichever ended first, and then there is none left.
#include <assert.h>
#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

static int semaphores;

static pid_t start(int number) {
  const pid_t child = fork();
  assert(child >= 0);
  if (child > 0) return child;
  struct sembuf up = {.sem_num = (unsigned short)number, .sem_op = 1};
  assert(semop(semaphores, &up, 1) == 0);
  _exit(number + 1);
}

int main(void) {
  semaphores = semget(IPC_PRIVATE, 2, 0600);
  pid_t children[2];
  for (int i = 0; i < 2; ++i) children[i] = start(i);
  assert(children[0] != children[1]);
  int seen = 0;
  for (int i = 0; i < 2; ++i) {
    int status;
    const pid_t child = wait(&status);
    assert(child == children[0] || child == children[1]);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == (child == children[0] ? 1 : 2));
    seen |= child == children[0] ? 1 : 2;
  }
  assert(seen == 3);
  assert(wait(NULL) == -1 && errno == ECHILD);
  assert(semctl(semaphores, 0, IPC_RMID) == 0);
}
