// expect: verdict=ok
// Locks on files between processes: the one that waits lets the other run. They are opened for
// reading only.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int* inside;

static void critical_section(int which) {
  char path[] = "/proc/self/exe";
  int fd = open(path, O_RDONLY);
  assert(fd >= 0 && flock(fd, LOCK_EX) == 0);
  assert(++*inside == 1);
  sched_yield();
  sched_yield();  // lets the other come as far as it can
  --*inside;
  assert(flock(fd, LOCK_UN) == 0);
  struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  assert(fcntl(fd, F_SETLKW, &whole) == 0 && which >= 0);
  close(fd);
}

int main(void) {
  inside = mmap(NULL, sizeof *inside, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  critical_section(child == 0);
  if (child == 0) _exit(0);
  int status;
  assert(waitpid(child, &status, 0) == child && status == 0);
}
