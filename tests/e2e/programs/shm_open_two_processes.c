// expect: executions=3 transitions=14 verdict=ok
// Memory by name, with a semaphore in it: what one process writes before its post, the other reads
// after its wait.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
  sem_t ready;
  int number;
};

static struct shared* map(int fd) {
  struct shared* memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  assert(memory != MAP_FAILED && close(fd) == 0);
  return memory;
}

int main(void) {
  assert(shm_open("/mazurka-test", O_RDWR, 0) == -1 && errno == ENOENT);
  const int fd = shm_open("/mazurka-test", O_CREAT | O_EXCL | O_RDWR, 0600);
  struct stat status;
  assert(fd >= 0 && fstat(fd, &status) == 0 && status.st_size == 0);
  assert(ftruncate(fd, sizeof(struct shared)) == 0);
  struct shared* memory = map(fd);
  assert(memory->number == 0);
  assert(sem_init(&memory->ready, 1, 0) == 0);

  const pid_t child = fork();
  if (child == 0) {
    const int again = shm_open("/mazurka-test", O_RDWR, 0);
    if (again < 0) {
      assert(errno == ENOENT);  // unlinked before; what is mapped stays
    } else {
      memory = map(again);
    }
    memory->number = 42;
    assert(sem_post(&memory->ready) == 0);
    _exit(0);
  }
  assert(shm_unlink("/mazurka-test") == 0);
  assert(sem_wait(&memory->ready) == 0);
  assert(memory->number == 42);
  assert(wait(NULL) == child);
  assert(shm_unlink("/mazurka-test") == -1 && errno == ENOENT);
  return 0;
}
