// expect: executions=2 transitions=18 verdict=ok
// A timer that may have expired or not; one that has, because time has passed; one that repeats;
// and errors.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int expirations(int timer) {
  uint64_t count;
  return read(timer, &count, sizeof count) == sizeof count ? (int)count : -errno;
}

static void set(int timer, time_t first, time_t interval) {
  struct itimerspec wanted = {.it_value = {.tv_sec = first}, .it_interval = {.tv_sec = interval}};
  assert(timerfd_settime(timer, 0, &wanted, NULL) == 0);
}

static void maybe_in_time(int timer) {
  struct timespec before, after, pause = {.tv_sec = 7};
  set(timer, 5, 0);
  clock_gettime(CLOCK_MONOTONIC, &before);
  int count = expirations(timer);
  clock_gettime(CLOCK_MONOTONIC, &after);
  if (count == 1) {
    assert(after.tv_sec >= before.tv_sec + 4);
  } else {
    assert(count == -EAGAIN && after.tv_sec < before.tv_sec + 4);
    nanosleep(&pause, NULL);
    assert(expirations(timer) == 1);
  }
  assert(expirations(timer) == -EAGAIN);
}

static void repeats(void) {
  int timer = timerfd_create(CLOCK_REALTIME, 0);
  struct timespec pause = {.tv_sec = 7};
  struct itimerspec state;
  set(timer, 2, 3);
  assert(expirations(timer) == 1);
  nanosleep(&pause, NULL);
  assert(expirations(timer) == 2);
  assert(timerfd_gettime(timer, &state) == 0 && state.it_interval.tv_sec == 3 &&
         state.it_value.tv_sec <= 3);
  struct pollfd polled = {.fd = timer, .events = POLLIN};
  assert(poll(&polled, 1, 100) == 0);
  assert(poll(&polled, 1, -1) == 1 && polled.revents == POLLIN && expirations(timer) == 1);
  close(timer);
}

int main(void) {
  struct itimerspec wrong = {.it_value = {.tv_nsec = -1}};
  uint32_t small;
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  assert(timer >= 0 && expirations(timer) == -EAGAIN);
  assert(read(timer, &small, sizeof small) == -1 && errno == EINVAL);
  assert(timerfd_settime(timer, 0, &wrong, NULL) == -1 && errno == EINVAL);
  assert(timerfd_settime(0, 0, &wrong, NULL) == -1 && errno == EINVAL);
  maybe_in_time(timer);
  repeats();
}
