// Dining philosophers as processes; the forks are System V semaphores. VeriSoft's first example.
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
  int left = me;
  int right = (me + 1) % philosophers;
  struct sembuf take_left = change(left, -1), take_right = change(right, -1);
  struct sembuf put_left = change(left, +1), put_right = change(right, +1);
  semop(forks, &take_left, 1);
  semop(forks, &take_right, 1);  // mazurka: deadlock
  semop(forks, &put_left, 1);
  semop(forks, &put_right, 1);
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
