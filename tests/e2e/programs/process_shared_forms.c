// expect: executions=136 transitions=866 verdict=ok
// A condition, a mutex, a barrier, a semaphore and a reader-writer lock in memory that two
// processes share.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct Shared {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  pthread_barrier_t barrier;
  pthread_rwlock_t lock;
  sem_t semaphore;
  int ready, written;
};

static void set_up(struct Shared* shared) {
  pthread_mutexattr_t mutex_attributes;
  pthread_condattr_t condition_attributes;
  pthread_barrierattr_t barrier_attributes;
  pthread_rwlockattr_t lock_attributes;
  pthread_mutexattr_init(&mutex_attributes);
  pthread_condattr_init(&condition_attributes);
  pthread_barrierattr_init(&barrier_attributes);
  pthread_rwlockattr_init(&lock_attributes);
  assert(pthread_mutexattr_setpshared(&mutex_attributes, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_condattr_setpshared(&condition_attributes, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_barrierattr_setpshared(&barrier_attributes, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_rwlockattr_setpshared(&lock_attributes, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_mutex_init(&shared->mutex, &mutex_attributes) == 0);
  assert(pthread_cond_init(&shared->condition, &condition_attributes) == 0);
  assert(pthread_barrier_init(&shared->barrier, &barrier_attributes, 2) == 0);
  assert(pthread_rwlock_init(&shared->lock, &lock_attributes) == 0);
  assert(sem_init(&shared->semaphore, 1, 0) == 0);
}

static void child(struct Shared* shared) {
  assert(pthread_mutex_lock(&shared->mutex) == 0);
  while (!shared->ready) assert(pthread_cond_wait(&shared->condition, &shared->mutex) == 0);
  assert(pthread_mutex_unlock(&shared->mutex) == 0);
  pthread_barrier_wait(&shared->barrier);
  assert(pthread_rwlock_wrlock(&shared->lock) == 0);
  shared->written = 1;
  assert(pthread_rwlock_unlock(&shared->lock) == 0);
  assert(sem_post(&shared->semaphore) == 0);
  _exit(0);
}

int main(void) {
  struct Shared* shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(shared != MAP_FAILED);
  set_up(shared);
  const pid_t pid = fork();
  if (pid == 0) child(shared);
  assert(pthread_mutex_lock(&shared->mutex) == 0);
  shared->ready = 1;
  assert(pthread_cond_signal(&shared->condition) == 0);
  assert(pthread_mutex_unlock(&shared->mutex) == 0);
  pthread_barrier_wait(&shared->barrier);
  assert(pthread_rwlock_rdlock(&shared->lock) == 0);
  assert(pthread_rwlock_unlock(&shared->lock) == 0);
  assert(sem_wait(&shared->semaphore) == 0);
  assert(shared->written == 1);
  int status = -1;
  assert(waitpid(pid, &status, 0) == pid && status == 0);
}
