// expect: executions=1 transitions=10 verdict=ok
// posix_spawn with file actions and attributes, its errors, and system().
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static int status_of(pid_t child) {
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status));
  return WEXITSTATUS(status);
}

int main(void) {
  char* shell[] = {"sh", "-c", "read line; echo $line there; exit 3", NULL};
  const int file = memfd_create("text", 0);
  assert(write(file, "hello\n", 6) == 6 && lseek(file, 0, SEEK_SET) == 0);
  const int output = memfd_create("output", 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, file, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, file);
  posix_spawn_file_actions_addopen(&actions, 7, "/dev/null", O_RDONLY, 0);
  posix_spawnattr_t attributes;
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child;
  assert(posix_spawnp(&child, "sh", &actions, &attributes, shell, environ) == 0);
  assert(status_of(child) == 3);
  char text[32] = "";
  assert(pread(output, text, sizeof text, 0) == 12 && strcmp(text, "hello there\n") == 0);

  assert(posix_spawn(&child, "/does/not/exist", NULL, NULL, shell, environ) == ENOENT);
  posix_spawn_file_actions_addopen(&actions, 8, "/does/not/exist", O_RDONLY, 0);
  assert(posix_spawn(&child, "/bin/sh", &actions, NULL, shell, environ) == ENOENT);
  assert(waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
  posix_spawn_file_actions_destroy(&actions);

  assert(system(NULL) != 0);
  const int status = system("exit 5");
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);

  const pid_t quick = vfork();
  if (quick == 0) _exit(6);
  assert(status_of(quick) == 6);
  return 0;
}
