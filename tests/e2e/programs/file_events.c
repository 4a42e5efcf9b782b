// expect: executions=6 transitions=18 verdict=ok
// Events of a program that changes files: which of the two processes made it.
#include <fcntl.h>
#include <mazurka/mazurka.h>
#include <sys/wait.h>
#include <unistd.h>

static int make(void) { return open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0; }

int main(void) {
  if (fork() == 0) _exit(make());
  mz_event(make() ? "first" : "second");
}
