// How many have attached a memory is known while nobody else is there. OTHERS: it is named.
// check: verdict=ok
// check OTHERS: verdict=incomplete says=shmctl_IPC_STAT_while_others_may_attach
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/shm.h>

static int memory;

static void* attach(void* unused) {
  shmdt(shmat(memory, 0, 0));
  return unused;
}

int main(void) {
  struct shmid_ds state;
  memory = shmget(IPC_PRIVATE, 4096, 0600);
  void* const start = shmat(memory, 0, 0);
  if (shmctl(memory, IPC_STAT, &state) != 0 || state.shm_nattch != 1) return 2;
  pthread_t thread;
  pthread_create(&thread, 0, attach, 0);
#ifdef OTHERS
  shmctl(memory, IPC_STAT, &state);
#endif
  pthread_join(thread, 0);
  shmdt(start);
  return shmctl(memory, IPC_RMID, 0);
}
