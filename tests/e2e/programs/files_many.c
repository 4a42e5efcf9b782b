// expect: executions=1 transitions=0 verdict=ok
// Thousands of files and directories, one after the other, two hundred at a time; and thousands of
// names.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(const char* name, char byte) {
  const int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
  assert(file >= 0 && write(file, &byte, 1) == 1 && close(file) == 0);
}

int main(void) {
  char name[16], byte = 0;
  for (int i = 0; i < 200; ++i) {
    snprintf(name, sizeof name, "kept-%d", i);
    make(name, (char)i);
  }
  make("open", 'x');
  const int open_one = open("open", O_RDONLY);
  assert(unlink("open") == 0);
  for (int i = 0; i < 2000; ++i) {
    make("temporary", 'y');
    assert(unlink("temporary") == 0 && mkdir("directory", 0700) == 0 && rmdir("directory") == 0);
  }
  for (int i = 0; i < 12000; ++i) {
    char missing[16];
    snprintf(missing, sizeof missing, "none-%d", i);
    assert(access(missing, F_OK) == -1);
  }
  assert(read(open_one, &byte, 1) == 1 && byte == 'x');
  const int last = open(name, O_RDONLY);
  assert(read(last, &byte, 1) == 1 && byte == (char)199);
}
