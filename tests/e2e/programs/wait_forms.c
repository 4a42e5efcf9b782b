// expect: executions=2 transitions=11 verdict=ok
// waitpid with WNOHANG, for a stranger and for an ended child; waitid; wait4.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const int semaphore = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf up = {.sem_op = 1};
  int status = -1;
  const pid_t first = fork();
  if (first == 0) {
    assert(semop(semaphore, &up, 1) == 0);
    _exit(3);
  }
  const pid_t polled = waitpid(first, &status, WNOHANG);
  assert(polled == 0 || polled == first);
  if (polled == 0) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    assert(waitid(P_PID, (id_t)first, &info, WEXITED) == 0);
    assert(info.si_pid == first && info.si_code == CLD_EXITED && info.si_status == 3 &&
           info.si_signo == SIGCHLD);
  } else {
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  }
  assert(waitpid(first, &status, 0) == -1 && errno == ECHILD);
  assert(waitpid(getpid(), &status, 0) == -1 && errno == ECHILD);
  assert(waitpid(-1, &status, 0x1000) == -1 && errno == EINVAL);

  const pid_t second = fork();
  if (second == 0) _exit(0);
  struct rusage usage;
  assert(wait4(second, &status, 0, &usage) == second && status == 0 && usage.ru_utime.tv_sec == 0);
  assert(semctl(semaphore, 0, IPC_RMID) == 0);
  return 0;
}
