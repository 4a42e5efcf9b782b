// expect: verdict=ok
// dup, dup2, fcntl, close_range and fork lead to the same description; the last close is the end.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2], status;
  char bytes[8];
  assert(pipe(ends) == 0);
  int copy = dup(ends[1]), high = fcntl(ends[1], F_DUPFD_CLOEXEC, 50);
  assert(copy > ends[1] && high == 50 && dup2(ends[1], 60) == 60 &&
         dup3(ends[1], 61, O_CLOEXEC) == 61);
  assert(dup2(ends[1], ends[1]) == ends[1] && dup2(99, 98) == -1 && errno == EBADF);
  assert(write(copy, "a", 1) == 1 && write(high, "b", 1) == 1 && write(60, "c", 1) == 1);
  assert(close(ends[1]) == 0 && close(copy) == 0);
  pid_t child = fork();
  if (child == 0) {
    assert(write(61, "d", 1) == 1);
    _exit(0);
  }
  assert(close_range(50, 70, 0) == 0);
  assert(write(60, "x", 1) == -1 && errno == EBADF);
  assert(waitpid(child, &status, 0) == child && status == 0);
  assert(read(ends[0], bytes, sizeof bytes) == 4 && memcmp(bytes, "abcd", 4) == 0);
  assert(read(ends[0], bytes, sizeof bytes) == 0);
  assert(dup2(ends[0], 3) >= 0 && close(ends[0]) == 0);
  assert(read(ends[1], bytes, 1) == -1 && errno == EBADF);
}
