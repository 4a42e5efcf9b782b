// expect: executions=1 transitions=0 verdict=incomplete
// A signal at a moment of the world's choosing would not come again on replay: timers are named and
// never go off.
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct itimerval soon = {{0, 0}, {0, 1000}};
  assert(setitimer(ITIMER_VIRTUAL, &soon, NULL) == 0 && setitimer(ITIMER_REAL, &soon, NULL) == 0);
  assert(alarm(1) == 0);
  timer_t timer;
  struct itimerspec at_once = {{0, 0}, {0, 1}};
  assert(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0 &&
         timer_settime(timer, 0, &at_once, NULL) == 0);
  for (volatile int i = 0; i < 50000000; ++i)
    continue;  // really some time: long enough for all of them
  sleep(5);
  assert(timer_delete(timer) == 0);
}
