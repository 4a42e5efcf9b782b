// Many short executions of several processes.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char byte = 'x';
  if (pipe(ends) != 0) return 1;
  for (int i = 0; i < 8; ++i) {
    if (fork() == 0) {
      for (int j = 0; j < 20; ++j) {
        if (write(ends[1], &byte, 1) != 1) _exit(1);
      }
      _exit(0);
    }
  }
  for (int i = 0; i < 8 * 20; ++i) {
    if (read(ends[0], &byte, 1) != 1) return 1;
  }
  while (wait(NULL) > 0) {
  }
  return 0;
}
