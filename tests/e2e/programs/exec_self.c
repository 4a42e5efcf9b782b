// expect: executions=1 transitions=3 verdict=ok
// exec replaces the image and keeps the process: its pid, its parent, its place in the schedule.
// One that fails changes nothing.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

static void change(int semaphore, int by) {
  struct sembuf operation = {.sem_op = (short)by};
  assert(semop(semaphore, &operation, 1) == 0);
}

static int second_image(char** argv) {
  assert(getenv("LD_PRELOAD") == NULL && getenv("GLIBC_TUNABLES") == NULL);
  assert(strcmp(getenv("GIVEN"), "yes") == 0 && getenv("HOME") == NULL);
  assert(getpid() == atoi(argv[3]));
  change(atoi(argv[2]), +1);
  return 7;
}

int main(int argc, char** argv) {
  if (argc == 4) return second_image(argv);
  const int semaphore = semget(IPC_PRIVATE, 1, 0600);
  const pid_t child = fork();
  if (child == 0) {
    char id[16], pid[16];
    char* const environment[] = {"GIVEN=yes", NULL};
    sprintf(id, "%d", semaphore);
    sprintf(pid, "%d", (int)getpid());
    assert(execl("/does/not/exist", "x", NULL) == -1 && errno == ENOENT);
    assert(execvp("no-such-program-anywhere", argv) == -1 && errno == ENOENT);
    assert(execv("/", argv) == -1 && errno == EACCES);
    execle("/proc/self/exe", argv[0], "again", id, pid, NULL, environment);
    _exit(99);
  }
  change(semaphore, -1);
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  assert(semctl(semaphore, 0, IPC_RMID) == 0);
  return 0;
}
