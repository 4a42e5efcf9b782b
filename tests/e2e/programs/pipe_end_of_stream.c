// expect: executions=316 transitions=1599 verdict=ok
// Two writers and a reader: the end comes when both have closed, by close or by their end.
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  assert(pipe(ends) == 0);
  for (int i = 0; i < 2; ++i) {
    if (fork() != 0) continue;
    assert(write(ends[1], "x", 1) == 1);
    _exit(0);
  }
  close(ends[1]);
  char bytes[8];
  int count = 0;
  for (;;) {
    ssize_t got = read(ends[0], bytes, 1);
    if (got == 0) break;
    assert(got == 1);
    ++count;
  }
  assert(count == 2);
  while (wait(NULL) > 0) {
  }
}
