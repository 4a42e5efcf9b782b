// What a simulated program may do to its simulator: misbehaving
// crash|abort|unmodelled|diverge|nondeterminism
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static const char* what;

static long call(long number, const char* path, long flags, long mode) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(path), "S"(flags), "d"(mode)
                   : "rcx", "r11", "memory");
  return result;
}

// Every second time. By system calls of its own, which nobody sees: the file stays there for the
// next execution.
static int has_run_before(void) {
  if (call(SYS_open, "has-run", O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0) return 0;
  call(SYS_unlink, "has-run", 0, 0);
  return 1;
}

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  if (strcmp(what, "crash") == 0) *(volatile int*)NULL = 1;
  if (strcmp(what, "abort") == 0) abort();
  if (strcmp(what, "unmodelled") == 0) signalfd(-1, &(sigset_t){0}, 0);
  for (volatile int forever = strcmp(what, "diverge") == 0; forever;) {
  }
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(strcmp(what, "nondeterminism") == 0 && has_run_before() ? &other : &lock);
  return NULL;
}

int main(int argc, char** argv) {
  what = argc > 1 ? argv[1] : "";
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  pthread_join(thread, NULL);
}
