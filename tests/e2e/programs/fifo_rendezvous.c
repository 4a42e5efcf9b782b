// expect: executions=7 transitions=54 verdict=ok
// Opening a FIFO waits for the other side; it is opened again after its end.
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char path[] = "fifo_rendezvous.fifo";

int main(void) {
  assert(mkfifo(path, 0600) == 0);
  if (fork() == 0) {
    int out = open(path, O_WRONLY);
    assert(out >= 0 && write(out, "a", 1) == 1);
    _exit(0);
  }
  char byte;
  int in = open(path, O_RDONLY);
  assert(in >= 0 && read(in, &byte, 1) == 1 && byte == 'a' && read(in, &byte, 1) == 0);
  close(in);
  wait(0);
  assert(unlink(path) == 0);
  return 0;
}
