// expect: verdict=ok
// Two threads call exit: whoever comes last to its end decides. Both ends are seen by the parent.
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void* leave(void* unused) {
  exit(1);
  return unused;
}

int main(void) {
  int status;
  if (fork() == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, leave, NULL);
    exit(2);
  }
  wait(&status);
  return WIFEXITED(status) && (WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == 2) ? 0 : 3;
}
