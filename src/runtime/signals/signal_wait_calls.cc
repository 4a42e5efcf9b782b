// Masks, and waiting for signals; and cancelling a thread, which has no model.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/core/blocking.h"
#include "runtime/core/failure.h"
#include "runtime/reset/server.h"
#include "runtime/signals/signal_actions.h"
#include "runtime/sync/mutex_calls.h"

namespace mazurka {
namespace {

// The signal, or an errno value below zero.
int wait_for_signal(const sigset_t& set, siginfo_t* info, int64_t timeout_ns, Call call) {
  Operation op{.kind = OpKind::SignalWait, .value = static_cast<int64_t>(bits_of(set))};
  if (timeout_ns == 0) op.flags = kTry;
  if (timeout_ns > 0) {
    op.flags = kTimed;
    op.deadline_ns = read_clock_ns() + timeout_ns;
  }
  const Effect effect = reach(op, call);
  if (effect.error != 0) return -effect.error;
  if (info != nullptr) *info = info_of(world().thread(current_thread()).taken);
  return effect.signal;
}

// Until a handler has run.
int wait_for_handler(uint64_t blocked, Call call) {
  reach({.kind = OpKind::SignalPause, .value = static_cast<int64_t>(blocked)}, call);
  return fail(EINTR);
}

// An errno value.
int change_mask(int how, const sigset_t* set, sigset_t* old, Call call) {
  const uint64_t present = blocked_signals();
  if (set != nullptr) {
    const uint64_t bits = bits_of(*set);
    switch (how) {
      case SIG_BLOCK:
        block_signals(present | bits, call);
        break;
      case SIG_UNBLOCK:
        block_signals(present & ~bits, call);
        break;
      case SIG_SETMASK:
        block_signals(bits, call);
        break;
      default:
        return EINVAL;
    }
  }
  if (old != nullptr) set_bits(*old, present);
  return 0;
}

struct Cancellability {
  int state;
  int type;
};
Cancellability cancellabilities[kMaxThreads];

int exchange(int& place, int value, int* old) {
  if (value != 0 && value != 1) return EINVAL;
  if (old != nullptr) *old = place;
  place = value;
  return 0;
}

Cancellability& own_cancellability() { return cancellabilities[index(current_thread())]; }

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int sigprocmask(int how, const sigset_t* __restrict set,
                               sigset_t* __restrict old) noexcept {
  if (!attached()) return REAL(sigprocmask)(how, set, old);
  const int error = change_mask(how, set, old, MAZURKA_HERE);
  return error == 0 ? 0 : fail(error);
}

MAZURKA_EXPORT int pthread_sigmask(int how, const sigset_t* __restrict set,
                                   sigset_t* __restrict old) noexcept {
  if (!attached()) return REAL(pthread_sigmask)(how, set, old);
  return change_mask(how, set, old, MAZURKA_HERE);
}

MAZURKA_EXPORT int sigpending(sigset_t* set) noexcept {
  if (!attached()) return REAL(sigpending)(set);
  begin_executions();
  set_bits(*set, static_cast<uint64_t>(reach({.kind = OpKind::SignalLook}, MAZURKA_HERE).value));
  return 0;
}

// It does not fail where a handler has run: it waits on.
MAZURKA_EXPORT int sigwait(const sigset_t* __restrict set, int* __restrict signal) {
  if (!attached()) return REAL(sigwait)(set, signal);
  int taken = 0;
  do {
    taken = wait_for_signal(*set, nullptr, kForever, MAZURKA_HERE);
  } while (taken == -EINTR);
  *signal = taken;
  return 0;
}

MAZURKA_EXPORT int sigwaitinfo(const sigset_t* __restrict set, siginfo_t* __restrict info) {
  if (!attached()) return REAL(sigwaitinfo)(set, info);
  const int taken = wait_for_signal(*set, info, kForever, MAZURKA_HERE);
  return taken < 0 ? fail(-taken) : taken;
}

MAZURKA_EXPORT int sigtimedwait(const sigset_t* __restrict set, siginfo_t* __restrict info,
                                const timespec* __restrict timeout) {
  if (!attached()) return REAL(sigtimedwait)(set, info, timeout);
  if (timeout != nullptr && !is_valid(*timeout)) return fail(EINVAL);
  const int64_t timeout_ns =
      timeout == nullptr ? kForever : timeout->tv_sec * 1'000'000'000 + timeout->tv_nsec;
  const int taken = wait_for_signal(*set, info, timeout_ns, MAZURKA_HERE);
  return taken < 0 ? fail(-taken) : taken;
}

MAZURKA_EXPORT int sigsuspend(const sigset_t* mask) {
  if (!attached()) return REAL(sigsuspend)(mask);
  return wait_for_handler(bits_of(*mask), MAZURKA_HERE);
}

MAZURKA_EXPORT int pause() {
  if (!attached()) return REAL(pause)();
  return wait_for_handler(blocked_signals(), MAZURKA_HERE);
}

// The thread goes on as if it never came to a cancellation point.
MAZURKA_EXPORT int pthread_cancel(pthread_t thread) {
  if (!attached()) return REAL(pthread_cancel)(thread);
  name_unmodelled("pthread_cancel", MAZURKA_HERE);
  return 0;
}

MAZURKA_EXPORT int pthread_setcancelstate(int state, int* old) {
  if (!attached()) return REAL(pthread_setcancelstate)(state, old);
  return exchange(own_cancellability().state, state, old);
}

MAZURKA_EXPORT int pthread_setcanceltype(int type, int* old) {
  if (!attached()) return REAL(pthread_setcanceltype)(type, old);
  return exchange(own_cancellability().type, type, old);
}

MAZURKA_EXPORT void pthread_testcancel() {
  if (!attached()) REAL(pthread_testcancel)();
}
