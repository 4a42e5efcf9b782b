// The older interfaces of X/Open: each is what it is made of there.
#include <signal.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/failure.h"
#include "runtime/signals/signal_actions.h"

namespace mazurka {
namespace {

// Declared as deprecated, but programs call them; hence other names here. When not attached, the
// functions below are called that pass everything on.
bool is_signal(int signal) { return signal >= 1 && signal <= kLastSignal; }

int change_one(int how, int signal) {
  if (!is_signal(signal)) return fail(EINVAL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return sigprocmask(how, &set, nullptr);
}

int act(int signal, sighandler_t handler, struct sigaction* old) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  return sigaction(signal, &action, old);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int hold_signal(int signal) __asm__("sighold");
int hold_signal(int signal) { return change_one(SIG_BLOCK, signal); }

MAZURKA_EXPORT int release_signal(int signal) __asm__("sigrelse");
int release_signal(int signal) { return change_one(SIG_UNBLOCK, signal); }

MAZURKA_EXPORT int ignore_signal(int signal) __asm__("sigignore");
int ignore_signal(int signal) { return act(signal, SIG_IGN, nullptr); }

MAZURKA_EXPORT int pause_without(int signal) __asm__("__xpg_sigpause");
int pause_without(int signal) {
  sigset_t set;
  if (!is_signal(signal)) return fail(EINVAL);
  if (sigprocmask(SIG_BLOCK, nullptr, &set) != 0) return -1;
  sigdelset(&set, signal);
  return sigsuspend(&set);
}

// SIG_HOLD blocks the signal and leaves its action; any other unblocks it.
MAZURKA_EXPORT sighandler_t set_signal(int signal, sighandler_t handler) __asm__("sigset");
sighandler_t set_signal(int signal, sighandler_t handler) {
  const auto hold = reinterpret_cast<sighandler_t>(2);
  sigset_t before;
  struct sigaction old;
  if (!is_signal(signal)) return fail(EINVAL), SIG_ERR;
  const bool holds = handler == hold;
  if (holds ? sigaction(signal, nullptr, &old) != 0 : act(signal, handler, &old) != 0)
    return SIG_ERR;
  if (sigprocmask(SIG_BLOCK, nullptr, &before) != 0) return SIG_ERR;
  if (change_one(holds ? SIG_BLOCK : SIG_UNBLOCK, signal) != 0) return SIG_ERR;
  return sigismember(&before, signal) == 1 ? hold : old.sa_handler;
}
