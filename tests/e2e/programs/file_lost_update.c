// expect: verdict=error findings=assertion
// Two processes count in a file, and do not keep each other out.
#include <assert.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static void count(void) {
  const int file = open("counter", O_RDWR);
  char number = 0;
  assert(file >= 0 && pread(file, &number, 1, 0) == 1);
  ++number;
  assert(pwrite(file, &number, 1, 0) == 1 && close(file) == 0);
}

int main(void) {
  int file = open("counter", O_CREAT | O_RDWR, 0600);
  char number = 0;
  assert(file >= 0 && write(file, &number, 1) == 1);
  if (fork() == 0) {
    count();
    _exit(0);
  }
  count();
  assert(wait(NULL) > 0);
  assert(pread(file, &number, 1, 0) == 1 && number == 2);
}
