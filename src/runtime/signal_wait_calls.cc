// Waiting for a signal, and cancelling a thread: no models yet. Waits look again each time another
// thread has moved.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/blocking.h"
#include "runtime/kernel_effects.h"
#include "runtime/raw.h"

namespace mazurka {
namespace {

constexpr long kMaskBytes = 8;  // the kernel's; libc's sigset_t is longer

// The signal; 0 if the time was up.
int wait_for_signal(const char* name, const sigset_t* set, siginfo_t* info, int64_t timeout_ns,
                    Call call) {
  name_unmodelled(name, call);
  long got = 0;
  const bool came = try_until_done(OtherSide::World, timeout_ns, call, [&] {
    const timespec at_once{};
    got = program_syscall(SYS_rt_sigtimedwait, address_of(set), address_of(info), address_of(&at_once),
                      kMaskBytes);
    return got > 0;
  });
  return came ? static_cast<int>(got) : 0;
}

// Until a handler has run. `mask` may be null: the current one.
int wait_for_handler(const char* name, const sigset_t* mask, Call call) {
  name_unmodelled(name, call);
  try_until_done(OtherSide::World, kForever, call, [&] {
    timespec at_once{};
    return program_syscall(SYS_ppoll, 0, 0, address_of(&at_once), address_of(mask), kMaskBytes) ==
           -EINTR;
  });
  errno = EINTR;
  return -1;
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

MAZURKA_EXPORT int sigwait(const sigset_t* __restrict set, int* __restrict signal) {
  if (!attached()) return REAL(sigwait)(set, signal);
  *signal = wait_for_signal("sigwait", set, nullptr, kForever, MAZURKA_HERE);
  return 0;
}

MAZURKA_EXPORT int sigwaitinfo(const sigset_t* __restrict set, siginfo_t* __restrict info) {
  if (!attached()) return REAL(sigwaitinfo)(set, info);
  return wait_for_signal("sigwaitinfo", set, info, kForever, MAZURKA_HERE);
}

MAZURKA_EXPORT int sigtimedwait(const sigset_t* __restrict set, siginfo_t* __restrict info,
                                const timespec* __restrict timeout) {
  if (!attached()) return REAL(sigtimedwait)(set, info, timeout);
  const int64_t timeout_ns =
      timeout == nullptr ? kForever : timeout->tv_sec * 1'000'000'000 + timeout->tv_nsec;
  const int signal = wait_for_signal("sigtimedwait", set, info, timeout_ns, MAZURKA_HERE);
  if (signal != 0) return signal;
  errno = EAGAIN;
  return -1;
}

MAZURKA_EXPORT int sigsuspend(const sigset_t* mask) {
  if (!attached()) return REAL(sigsuspend)(mask);
  return wait_for_handler("sigsuspend", mask, MAZURKA_HERE);
}

MAZURKA_EXPORT int pause() {
  if (!attached()) return REAL(pause)();
  return wait_for_handler("pause", nullptr, MAZURKA_HERE);
}

MAZURKA_EXPORT int pthread_sigqueue(pthread_t thread, int signal, const sigval value) {
  if (!attached()) return REAL(pthread_sigqueue)(thread, signal, value);
  name_unmodelled("pthread_sigqueue", MAZURKA_HERE);
  return 0;
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
