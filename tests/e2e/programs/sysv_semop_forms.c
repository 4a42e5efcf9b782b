// expect: executions=2 transitions=26 verdict=ok
// Several semaphores in one semop, all or nothing; waiting for zero; IPC_NOWAIT; a timeout; values
// and errors.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

union semun {
  int val;
  unsigned short* array;
  struct semid_ds* buf;
};

static int set;

static void errors(void) {
  struct sembuf operation = {.sem_num = 3, .sem_op = 1};
  struct sembuf many[501] = {{0}};
  struct timespec no_time = {.tv_nsec = 1000000000};
  assert(semop(set, &operation, 1) == -1 && errno == EFBIG);
  assert(semop(set, many, 501) == -1 && errno == E2BIG);
  assert(semop(set, many, 0) == -1 && errno == EINVAL);
  assert(semop(set + 1, many, 1) == -1 && errno == EINVAL);
  assert(semtimedop(set, many, 1, &no_time) == -1 && errno == EINVAL);
  assert(semctl(set, 3, GETVAL) == -1 && errno == EINVAL);
  assert(semctl(set, 0, SETVAL, 32768) == -1 && errno == ERANGE);
  assert(semctl(set + 1, 0, IPC_RMID) == -1 && errno == EINVAL);
  assert(semget(IPC_PRIVATE, 0, 0600) == -1 && errno == EINVAL);
  assert(semget(0x4d5a, 1, 0600) == -1 && errno == ENOENT);
}

static void child(void) {
  struct sembuf both[] = {{0, -1, 0}, {1, -1, 0}};
  struct sembuf back[] = {{0, 1, 0}, {1, 1, 0}, {2, -1, 0}};
  assert(semop(set, both, 2) == 0);
  assert(semop(set, back, 3) == 0);
  _exit(0);
}

int main(void) {
  unsigned short values[] = {1, 1, 1};
  set = semget(IPC_PRIVATE, 3, 0600);
  assert(semctl(set, 0, SETALL, (union semun){.array = values}) == 0);
  errors();
  if (fork() == 0) child();

  struct sembuf other_way[] = {{1, -1, 0}, {0, -1, 0}};
  struct sembuf back[] = {{0, 1, 0}, {1, 1, 0}};
  struct sembuf try_two = {.sem_num = 0, .sem_op = -1, .sem_flg = IPC_NOWAIT};
  struct sembuf zero = {.sem_num = 2, .sem_op = 0};
  assert(semop(set, other_way, 2) == 0);
  assert(semop(set, &try_two, 1) == -1 && errno == EAGAIN);
  assert(semop(set, back, 2) == 0);
  assert(semop(set, &zero, 1) == 0);  // the child has taken the third
  assert(wait(NULL) > 0);

  struct timespec second = {.tv_sec = 1};
  struct sembuf never = {.sem_num = 2, .sem_op = -1};
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  assert(semtimedop(set, &never, 1, &second) == -1 && errno == EAGAIN);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(after.tv_sec >= before.tv_sec + 1);

  unsigned short now[3];
  struct semid_ds state;
  assert(semctl(set, 0, GETALL, (union semun){.array = now}) == 0);
  assert(now[0] == 1 && now[1] == 1 && now[2] == 0);
  assert(semctl(set, 2, GETVAL) == 0 && semctl(set, 0, GETVAL) == 1);
  assert(semctl(set, 0, IPC_STAT, (union semun){.buf = &state}) == 0 && state.sem_nsems == 3);
  assert(semctl(set, 0, IPC_RMID) == 0);
  assert(semctl(set, 0, GETVAL) == -1 && errno == EINVAL);
  return 0;
}
