// expect: executions=6 transitions=38 verdict=ok
// exec takes the other threads of its process along, wherever they stand; what they did before is
// done.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

static int semaphores;

static void up(int number) {
  struct sembuf operation = {.sem_num = (unsigned short)number, .sem_op = 1};
  assert(semop(semaphores, &operation, 1) == 0);
}

static void* thread(void* unused) {
  up(0);
  up(0);
  return unused;
}

static void child(char* name) {
  char id[16];
  pthread_t other;
  sprintf(id, "%d", semaphores);
  assert(pthread_create(&other, NULL, thread, NULL) == 0);
  up(1);
  execl("/proc/self/exe", name, id, NULL);
  abort();
}

int main(int argc, char** argv) {
  if (argc > 1) {
    semaphores = atoi(argv[1]);
    const int done = semctl(semaphores, 0, GETVAL);
    assert(done >= 0 && done <= 2 && semctl(semaphores, 1, GETVAL) == 1);
    return done;
  }
  semaphores = semget(IPC_PRIVATE, 2, 0600);
  const pid_t process = fork();
  if (process == 0) child(argv[0]);
  int status;
  assert(waitpid(process, &status, 0) == process);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == semctl(semaphores, 0, GETVAL));
  assert(semctl(semaphores, 0, IPC_RMID) == 0);
  return 0;
}
