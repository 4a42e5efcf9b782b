// expect: verdict=ok
// What changes no file: devices, a file that is opened for writing and not written to, one without
// a name.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  const int null = creat("/dev/null", 0600);
  assert(null >= 0 && write(null, "x", 1) == 1);
  FILE* const zero = fopen("/dev/zero", "w");
  assert(zero != NULL && fprintf(zero, "x") == 1 && fclose(zero) == 0);
  const int file = open(LOCKED_FILE, O_RDWR | O_CREAT, 0600);
  assert(file >= 0);
  const int unnamed = open("/tmp", O_TMPFILE | O_RDWR, 0600);
  assert(unnamed >= 0 || errno == EOPNOTSUPP);
  if (unnamed >= 0) assert(write(unnamed, "x", 1) == 1 && pwrite(unnamed, "y", 1, 0) == 1);
}
