// The program that is executed does not have the end for writing, so the reader finds the end of
// the stream. BUG: it has, and both wait.
// check: verdict=ok
// check BUG: verdict=error findings=deadlock
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char** arguments) {
  char byte;
  if (count > 1) return read(atoi(arguments[1]), &byte, 1) != 1;
  int data[2];
  int go_on[2];
  if (pipe(data) != 0 || pipe(go_on) != 0) return 2;
  if (fork() == 0) {
    char number[16];
    close(go_on[1]);
    snprintf(number, sizeof number, "%d", go_on[0]);
#ifndef BUG
    ioctl(data[1], FIOCLEX);
#endif
    execl("/proc/self/exe", "again", number, (char*)0);
  }
  close(data[1]);
  if (read(data[0], &byte, 1) != 0) return 3;
  if (write(go_on[1], "x", 1) != 1) return 4;
  wait(0);
  return 0;
}
