// A child sends signals to its parent, which has a timer as well: for the simulator to show what is
// pending, blocked and set.
#include <signal.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static void handler(int signal) { (void)signal; }

int main(void) {
  const struct itimerspec times = {.it_value = {.tv_sec = 5}, .it_interval = {.tv_sec = 2}};
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  if (timerfd_settime(timer, 0, &times, NULL) != 0) return 1;
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  const pid_t parent = getpid();
  if (fork() == 0) {
    kill(parent, SIGUSR2);
    kill(parent, SIGUSR1);
    _exit(0);
  }
  pause();
  wait(NULL);
  return 0;
}
