#include "semaphores.h"

#include <errno.h>

#include "trace.h"

int semaphore_set = -1;

static const int initial_values[SEM_COUNT] = {
    [SEM_TABLE] = 1,      [SEM_AIRSPACE] = 1,    [SEM_CHUTE_FREE] = 1,
    [SEM_EMPTY_LEFT] = 1, [SEM_EMPTY_RIGHT] = 1,
};

// The caller has to define it (semctl(2)).
union semun {
  int val;
  struct semid_ds* buf;
  unsigned short* array;
};

void semaphores_create(void) {
  semaphore_set = semget(IPC_PRIVATE, SEM_COUNT, 0600);
  if (semaphore_set < 0) fail("semget");
  for (int i = 0; i < SEM_COUNT; ++i) {
    union semun value = {.val = initial_values[i]};
    if (semctl(semaphore_set, i, SETVAL, value) != 0) fail("semctl");
  }
}

void semaphores_remove(void) {
  if (semctl(semaphore_set, 0, IPC_RMID) != 0) fail("semctl");
}

void semaphore_refused(void) {
  if (errno != EINTR) fail("semop");
}
