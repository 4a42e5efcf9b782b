// Calls that are many calls: what a common program does is known, what no model has is named, by
// libc's function, by syscall() and by an instruction alike.
// check: verdict=ok
// check OWNER: verdict=incomplete says=fcntl_with_the_command_8
// check OWNER_NUMBER: verdict=incomplete says=fcntl_with_the_command_8
// check OWNER_RAW: verdict=incomplete says=calls.h:10_in_call6
// check SIGNALS: verdict=incomplete says=F_SETFL_with_O_ASYNC
// check ASYNC: verdict=incomplete says=ioctl_with_the_command_0x5452
// check ASYNC_NUMBER: verdict=incomplete says=ioctl_with_the_command_0x5452
// check SUBREAPER: verdict=incomplete says=in_subreaper
// check SEALS: verdict=incomplete says=F_ADD_SEALS_while_others_may_use_the_file
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "calls.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* pass(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void subreaper(void) { prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0); }

// What is refused or only looks.
static int do_harmless(int fd) {
  struct winsize size;
  int count = 0;
  if (isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) == 0 || errno != ENOTTY) return 3;
  if (ioctl(fd, TIOCSWINSZ, &size) == 0 || ioctl(-1, FIOASYNC, &count) == 0) return 4;
  if (ioctl(fd, FIOCLEX) != 0 || (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0) return 5;
  if (ioctl(fd, FIONREAD, &count) != 0 || count != 0) return 6;
  if (fcntl(fd, F_DUPFD_CLOEXEC, 0) < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0) return 7;
  if (fcntl(fd, F_GETOWN) != 0 || fcntl(fd, 4711) != -1 || errno != EINVAL) return 8;
  prctl(PR_SET_NAME, "name", 0, 0, 0);
  return 0;
}

int main(void) {
  int ends[2];
  int one = 1;
  const int memory = memfd_create("memory", MFD_ALLOW_SEALING);
  if (pipe(ends) != 0 || memory < 0) return 2;
  if (fcntl(memory, F_ADD_SEALS, F_SEAL_GROW) != 0) return 2;
  pthread_t thread;
  pthread_create(&thread, 0, pass, 0);
  pass(0);
#if defined(OWNER)
  fcntl(ends[0], F_SETOWN, getpid());
#elif defined(OWNER_NUMBER)
  syscall(SYS_fcntl, ends[0], F_SETOWN, getpid());
#elif defined(OWNER_RAW)
  CALL(SYS_fcntl, ends[0], F_SETOWN, getpid());
#elif defined(SIGNALS)
  fcntl(ends[0], F_SETFL, O_ASYNC);
#elif defined(ASYNC)
  ioctl(ends[0], FIOASYNC, &one);
#elif defined(ASYNC_NUMBER)
  syscall(SYS_ioctl, ends[0], FIOASYNC, &one);
#elif defined(SUBREAPER)
  subreaper();
#elif defined(SEALS)
  fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK);
#endif
  (void)one;
  const int result = do_harmless(ends[0]);
  pthread_join(thread, 0);
  return result;
}
