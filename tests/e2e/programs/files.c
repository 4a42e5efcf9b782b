// expect: executions=1 transitions=0 verdict=ok
// Reading files is fine, and so is writing where nobody can read it later.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  char bytes[16];
  int fd = open("/proc/self/exe", O_RDONLY);
  assert(fd >= 0 && read(fd, bytes, 4) == 4 && bytes[1] == 'E');
  close(fd);
  fd = open("/dev/null", O_WRONLY);
  assert(fd >= 0 && write(fd, "x", 1) == 1);
  close(fd);
  fd = memfd_create("scratch", 0);
  assert(fd >= 0 && write(fd, "x", 1) == 1 && pread(fd, bytes, 1, 0) == 1 && bytes[0] == 'x');
  close(fd);
  FILE* scratch = tmpfile();
  assert(scratch != NULL && fputs("hello", scratch) >= 0 && fclose(scratch) == 0);
  assert(getchar() == EOF);
  assert(write(1, "out", 3) == 3);
}
