// expect: executions=1 transitions=0 verdict=ok
// What an execution writes is its own: the next one does not find it, and nobody else ever sees it.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  assert(open("written", O_RDONLY) == -1 && errno == ENOENT);
  int fd = open("written", O_WRONLY | O_CREAT | O_EXCL, 0600);
  assert(fd >= 0 && write(fd, "x", 1) == 1 && close(fd) == 0);
}
