// expect: executions=6 transitions=31 verdict=ok
// What is blocked is taken in ppoll and pselect, with masks of their own, and nowhere else; not
// where there is input.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>
#include <unistd.h>

volatile sig_atomic_t count;
pthread_t waiter;
int ends[2];

void handler(int signal) { count += signal != 0; }

void* sender(void* unused) {
  pthread_kill(waiter, SIGUSR1);
  assert(write(ends[1], "x", 1) == 1);
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  assert(raise(SIGUSR1) == 0 && count == 0);
  struct timespec at_once = {0, 0};
  assert(ppoll(NULL, 0, &at_once, &before) == -1 && errno == EINTR && count == 1);
  assert(ppoll(NULL, 0, &at_once, &before) == 0);

  assert(pipe(ends) == 0);
  waiter = pthread_self();
  pthread_t thread;
  pthread_create(&thread, NULL, sender, NULL);
  int interrupted = 0;
  fd_set in;
  for (;;) {
    FD_ZERO(&in);
    FD_SET(ends[0], &in);
    int ready = pselect(ends[0] + 1, &in, NULL, NULL, NULL, &before);
    if (ready == 1) break;
    assert(ready == -1 && errno == EINTR);
    ++interrupted;
  }
  assert(count == 1 + interrupted && interrupted <= 1);
  char c;
  assert(read(ends[0], &c, 1) == 1);
  pthread_join(thread, NULL);
}
