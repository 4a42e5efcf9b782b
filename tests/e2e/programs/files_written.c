// expect: executions=1 transitions=0 verdict=incomplete
// What one execution writes a later one could read: named, and the verdict is not complete.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int fd = open("written", O_WRONLY | O_CREAT, 0600);
  assert(fd >= 0 && write(fd, "x", 1) == 1 && close(fd) == 0);
  assert(unlink("written") == 0);
}
