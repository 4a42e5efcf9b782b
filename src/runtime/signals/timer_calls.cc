// Timers that send a signal some time later. When that is, is the search's choice: the signal can
// be taken at any of the operations after the timer was set. Timers that go off again and again
// have no model: they go off once. Nor has one whose signal would end the process: it never goes
// off.
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/reset/server.h"
#include "runtime/signals/signal_actions.h"

namespace mazurka {
namespace {

// One that would end the process is for when it hangs: somewhere it could end it in every program.
bool is_watchdog() {
  return disposition(SIGALRM) == Disposition::Default &&
         (blocked_signals() & signal_bit(SIGALRM)) == 0;
}

// Whether one was set and has not gone off yet.
bool set_alarm(bool on, Call call) {
  if (on && is_watchdog()) {
    name_unmodelled("an alarm without a handler (never goes off)", call);
    return false;
  }
  begin_executions();
  const bool was_on = reach({.kind = OpKind::SignalCancel, .value = SIGALRM}, call).value != 0;
  if (on) {
    reach({.kind = OpKind::SignalSend,
           .flags = kFromTimer,
           .target = current_process(),
           .value = SIGALRM},
          call);
    stand_where_signals_come(call);
  }
  return was_on;
}

bool is_zero(const timeval& time) { return time.tv_sec == 0 && time.tv_usec == 0; }

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT unsigned alarm(unsigned seconds) {
  if (!attached()) return REAL(alarm)(seconds);
  return set_alarm(seconds != 0, MAZURKA_HERE) ? 1 : 0;
}

MAZURKA_EXPORT useconds_t ualarm(useconds_t value, useconds_t interval) {
  if (!attached()) return REAL(ualarm)(value, interval);
  if (interval != 0) name_unmodelled("ualarm with an interval (goes off once)", MAZURKA_HERE);
  return set_alarm(value != 0, MAZURKA_HERE) ? 1 : 0;
}

MAZURKA_EXPORT int setitimer(__itimer_which_t which, const itimerval* __restrict value,
                             itimerval* __restrict old) {
  if (!attached()) return REAL(setitimer)(which, value, old);
  const Call call = MAZURKA_HERE;
  if (old != nullptr) *old = {};
  if (which != ITIMER_REAL) {
    name_unmodelled("setitimer for processor time", call);
    return 0;
  }
  if (!is_zero(value->it_interval))
    name_unmodelled("setitimer with an interval (goes off once)", call);
  const bool was_on = set_alarm(!is_zero(value->it_value), call);
  if (old != nullptr && was_on) old->it_value.tv_usec = 1;
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
