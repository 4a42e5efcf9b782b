// expect: verdict=ok
// stdio writes to a pipe by calls of its own, and a program that is executed inherits its standard
// streams.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int there[2], back[2], status;
  assert(pipe(there) == 0 && pipe(back) == 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(there[0], 0);
    dup2(back[1], 1);
    close(there[0]), close(there[1]), close(back[0]), close(back[1]);
    execlp("cat", "cat", (char*)NULL);
    _exit(127);
  }
  close(there[0]);
  close(back[1]);
  assert(dprintf(there[1], "%s\n", "first") == 6);
  int kept = dup(1);
  assert(dup2(there[1], 1) == 1 && close(there[1]) == 0);
  assert(printf("hello %d\n", 42) == 9 && fflush(stdout) == 0);
  assert(dup2(kept, 1) == 1);
  FILE* answer = fdopen(back[0], "r");
  char line[32];
  assert(fgets(line, sizeof line, answer) != NULL && strcmp(line, "first\n") == 0);
  assert(fgets(line, sizeof line, answer) != NULL && strcmp(line, "hello 42\n") == 0);
  assert(fgets(line, sizeof line, answer) == NULL && fclose(answer) == 0);
  assert(waitpid(child, &status, 0) == child && status == 0);
}
