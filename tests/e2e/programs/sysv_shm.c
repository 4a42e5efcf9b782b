// expect: executions=8 transitions=38 verdict=ok
// System V shared memory: private and by key, attached twice, removed while in use, with a lock in
// it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
  pthread_mutex_t lock;
  int count;
};

static void work(struct shared* memory) {
  assert(pthread_mutex_lock(&memory->lock) == 0);
  ++memory->count;
  assert(pthread_mutex_unlock(&memory->lock) == 0);
}

int main(void) {
  assert(shmget(IPC_PRIVATE, 0, 0600) == -1 && errno == EINVAL);
  const int id = shmget(IPC_PRIVATE, sizeof(struct shared), 0600);
  const int small = shmget(IPC_PRIVATE, 1, 0600);
  assert(id >= 0 && small >= 0 && small != id && shmctl(small, IPC_RMID, NULL) == 0);
  struct shared* memory = shmat(id, NULL, 0);
  assert(memory != (void*)-1 && shmat(id + 1000, NULL, 0) == (void*)-1 && errno == EINVAL);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&memory->lock, &attributes);

  const pid_t child = fork();
  if (child == 0) {
    struct shared* again = shmat(id, NULL, 0);
    assert(again != (void*)-1 && again != memory);
    assert(shmdt(memory) == 0);
    work(again);
    const int other = shmget(0x77, 100, IPC_CREAT | IPC_EXCL | 0600);
    assert(other >= 0 || errno == EEXIST);
    _exit(other >= 0);
  }
  work(memory);
  const int other = shmget(0x77, 100, IPC_CREAT | IPC_EXCL | 0600);
  int status;
  struct shmid_ds state;
  assert(wait(&status) == child && WEXITSTATUS(status) + (other >= 0) == 1);
  assert(memory->count == 2);
  const int found = shmget(0x77, 100, 0);
  assert(found >= 0 && (other < 0 || other == found));
  assert(shmget(0x77, 101, 0) == -1 && errno == EINVAL);
  assert(shmctl(found, IPC_STAT, &state) == 0 && state.shm_segsz == 100);
  assert(shmctl(found, IPC_RMID, NULL) == 0 && shmctl(id, IPC_RMID, NULL) == 0);
  assert(shmget(0x77, 100, 0) == -1 && errno == ENOENT);
  assert(shmdt(memory) == 0 && shmdt(memory) == -1 && errno == EINVAL);
  return 0;
}
