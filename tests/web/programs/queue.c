// A child reads what its parent has written: for the simulator to show what lies in the pipe.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char bytes[4];
  if (pipe(ends) != 0) return 1;
  if (fork() == 0) {
    if (read(ends[0], bytes, 2) != 2) _exit(1);
    if (read(ends[0], bytes, sizeof bytes) < 1) _exit(1);
    _exit(0);
  }
  if (write(ends[1], "hello\n", 6) != 6) return 1;
  if (write(ends[1], "\1\2\377", 3) != 3) return 1;
  wait(0);
  return 0;
}
