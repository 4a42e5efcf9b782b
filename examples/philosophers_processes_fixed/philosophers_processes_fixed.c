// Dining philosophers as processes that cannot deadlock: the last one takes the forks in the other order.
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

static int forks;

static void change(int fork, int by) {
  struct sembuf operation = {.sem_num = (unsigned short)fork, .sem_op = (short)by};
  if (semop(forks, &operation, 1) != 0) {
    perror("semop");
    exit(1);
  }
}

static void dine(int me, int philosophers) {
  int last = me == philosophers - 1;
  int first = last ? 0 : me;
  int second = last ? me : me + 1;
  change(first, -1);
  change(second, -1);
  change(first, +1);
  change(second, +1);
  exit(0);
}

int main(int argc, char** argv) {
  int philosophers = argc > 1 ? atoi(argv[1]) : 2;
  forks = semget(IPC_PRIVATE, philosophers, 0600);
  if (forks < 0) {
    perror("semget");
    return 1;
  }
  for (int i = 0; i < philosophers; ++i) semctl(forks, i, SETVAL, 1);
  for (int i = 0; i < philosophers - 1; ++i) {
    if (fork() == 0) dine(i, philosophers);
  }
  dine(philosophers - 1, philosophers);
}
