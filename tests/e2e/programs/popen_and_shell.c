// expect: verdict=ok
// The pipe and the shell are explored like anything else.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

int main(void) {
  char line[16];
  FILE* from = popen("echo hello; exit 4", "r");
  assert(from != NULL && fgets(line, sizeof line, from) != NULL && strcmp(line, "hello\n") == 0);
  int status = pclose(from);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 4);

  FILE* to = popen("read word; test $word = hello", "w");
  assert(to != NULL && fputs(line, to) >= 0);
  status = pclose(to);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert(popen("true", "rw") == NULL);
  return 0;
}
