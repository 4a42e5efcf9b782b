// expect: executions=1 transitions=12 verdict=ok
// A script by its #! line, one without it by execvp and the shell, and the shell's own status.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

// A file in memory that can be run by its path.
static void make(const char* text, char* path) {
  const int fd = memfd_create("script", 0);
  assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  sprintf(path, "/proc/self/fd/%d", fd);
}

static int status_of(pid_t child) {
  int status;
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

int main(void) {
  char with[64], without[64];
  make("#!/bin/sh -e\nfalse\nexit 9\n", with);
  make("exit $1\n", without);
  pid_t child = fork();
  if (child == 0) {
    execl(with, "with", NULL);
    _exit(99);
  }
  assert(status_of(child) == 1);

  child = fork();
  if (child == 0) {
    assert(execl(without, "without", "12", NULL) == -1 && errno == ENOEXEC);
    execlp(without, "without", "12", NULL);
    _exit(99);
  }
  assert(status_of(child) == 12);

  child = fork();
  if (child == 0) {
    char* arguments[] = {"sh", "-c", "exit 13", NULL};
    fexecve(open("/bin/sh", O_RDONLY | O_CLOEXEC), arguments, environ);
    _exit(99);
  }
  assert(status_of(child) == 13);
  return 0;
}
