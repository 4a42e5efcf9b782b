// Two processes move money between two accounts in shared memory, each taking the locks in its own
// order.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct account {
  pthread_mutex_t lock;
  int money;
};

static void make(struct account* account, int money) {
  pthread_mutexattr_t shared;
  pthread_mutexattr_init(&shared);
  pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&account->lock, &shared);
  pthread_mutexattr_destroy(&shared);
  account->money = money;
}

static void transfer(struct account* from, struct account* to, int money) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);  // mazurka: deadlock
  from->money -= money;
  to->money += money;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

int main(void) {
  struct account* accounts =
      mmap(NULL, 2 * sizeof *accounts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (accounts == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  make(&accounts[0], 100);
  make(&accounts[1], 100);
  pid_t child = fork();
  if (child == 0) {
    transfer(&accounts[0], &accounts[1], 10);
    _exit(0);
  }
  transfer(&accounts[1], &accounts[0], 20);
  waitpid(child, NULL, 0);
  if (accounts[0].money != 110 || accounts[1].money != 90) abort();
  return 0;
}
