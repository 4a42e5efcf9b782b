// Two processes map a shared memory object, each at a place of its own.
// check: verdict=ok
// check BROKEN: verdict=error findings=race
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parallel.h"

struct Shared {
  atomic_int is_ready;
  int message;
};

struct Shared* map(int descriptor) {
  return mmap(NULL, sizeof(struct Shared), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
}

int main() {
  const int descriptor = shm_open("/mazurka_shared_object", O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert(ftruncate(descriptor, 4096) == 0);
  const pid_t child = fork();
  if (child == 0) {
    mmap(NULL, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);  // the next is elsewhere
    struct Shared* shared = map(descriptor);
    shared->message = 42;  // mazurka: race
#ifndef BROKEN
    shared->is_ready = 1;
#endif
    _exit(0);
  }
  struct Shared* shared = map(descriptor);
#ifndef BROKEN
  while (!shared->is_ready) {
  }
  assert(shared->message == 42);
#else
  (void)*(volatile int*)&shared->message;  // mazurka: race
#endif
  waitpid(child, NULL, 0);
  shm_unlink("/mazurka_shared_object");
}
