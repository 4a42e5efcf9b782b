// expect: executions=3 transitions=21 verdict=ok
// One mutex in shared memory, which two processes see at different addresses, and one process at
// two.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
  pthread_mutex_t lock;
  int inside, count;
};

static struct shared* map(int fd) {
  struct shared* memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  assert(memory != MAP_FAILED);
  return memory;
}

static void work(struct shared* memory) {
  assert(pthread_mutex_lock(&memory->lock) == 0);
  assert(memory->inside++ == 0);
  ++memory->count;
  assert(memory->inside-- == 1);
  assert(pthread_mutex_unlock(&memory->lock) == 0);
}

int main(void) {
  const int fd = memfd_create("shared", 0);
  assert(fd >= 0 && ftruncate(fd, sizeof(struct shared)) == 0);
  struct shared* one = map(fd);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  assert(pthread_mutex_init(&one->lock, &attributes) == 0);

  const pid_t child = fork();
  if (child == 0) {
    struct shared* mine = map(fd);
    assert(mine != one && munmap(one, sizeof *one) == 0);
    work(mine);
    _exit(0);
  }
  struct shared* other = map(fd);
  assert(other != one);
  assert(pthread_mutex_lock(&one->lock) == 0);
  assert(pthread_mutex_trylock(&other->lock) == EBUSY);
  assert(pthread_mutex_unlock(&other->lock) == 0);
  work(one);
  assert(wait(NULL) == child);
  assert(one->count == 2 && other->count == 2);
  return 0;
}
