// Dining philosophers as processes that cannot deadlock: the last one takes the forks in the other
// order.
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

static int forks;

static struct sembuf change(int number, int by) {
  return (struct sembuf){.sem_num = (unsigned short)number, .sem_op = (short)by};
}

static void dine(int me, int philosophers) {
  int last = me == philosophers - 1;
  int first = last ? 0 : me;
  int second = last ? me : me + 1;
  struct sembuf take_first = change(first, -1), take_second = change(second, -1);
  struct sembuf put_first = change(first, +1), put_second = change(second, +1);
  semop(forks, &take_first, 1);
  semop(forks, &take_second, 1);
  semop(forks, &put_first, 1);
  semop(forks, &put_second, 1);
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
