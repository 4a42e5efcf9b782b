// expect: executions=2 verdict=ok
// The events of two processes are in one order.
#include <mazurka/mazurka.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const pid_t child = fork();
  if (child == 0) {
    mz_event("child");
    _exit(0);
  }
  mz_event("parent");
  waitpid(child, 0, 0);
  return 0;
}
