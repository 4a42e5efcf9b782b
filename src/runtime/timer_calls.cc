// Timers that would send a signal some time later. Without a model they are never started: a signal
// at a moment of the world's choosing would make the program another one at each replay.
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/runtime.h"

using namespace mazurka;

MAZURKA_EXPORT unsigned alarm(unsigned seconds) {
  if (!attached()) return REAL(alarm)(seconds);
  if (seconds != 0) name_unmodelled("alarm", MAZURKA_HERE);
  return 0;
}

MAZURKA_EXPORT useconds_t ualarm(useconds_t value, useconds_t interval) {
  if (!attached()) return REAL(ualarm)(value, interval);
  if (value != 0) name_unmodelled("ualarm", MAZURKA_HERE);
  return 0;
}

MAZURKA_EXPORT int setitimer(__itimer_which_t which, const itimerval* __restrict value,
                             itimerval* __restrict old) {
  if (!attached()) return REAL(setitimer)(which, value, old);
  name_unmodelled("setitimer", MAZURKA_HERE);
  if (old != nullptr) *old = {};
  return 0;
}

MAZURKA_EXPORT int getitimer(__itimer_which_t which, itimerval* value) {
  if (!attached()) return REAL(getitimer)(which, value);
  *value = {};
  return 0;
}

MAZURKA_EXPORT int timer_create(clockid_t clock, sigevent* __restrict event,
                                timer_t* __restrict timer) {
  if (!attached()) return REAL(timer_create)(clock, event, timer);
  name_unmodelled("timer_create", MAZURKA_HERE);
  *timer = nullptr;
  return 0;
}

MAZURKA_EXPORT int timer_settime(timer_t timer, int flags, const itimerspec* __restrict value,
                                 itimerspec* __restrict old) {
  if (!attached()) return REAL(timer_settime)(timer, flags, value, old);
  if (old != nullptr) *old = {};
  return 0;
}

MAZURKA_EXPORT int timer_gettime(timer_t timer, itimerspec* value) {
  if (!attached()) return REAL(timer_gettime)(timer, value);
  *value = {};
  return 0;
}

MAZURKA_EXPORT int timer_getoverrun(timer_t timer) {
  return attached() ? 0 : REAL(timer_getoverrun)(timer);
}

MAZURKA_EXPORT int timer_delete(timer_t timer) {
  return attached() ? 0 : REAL(timer_delete)(timer);
}
