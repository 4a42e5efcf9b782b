#include "runtime/syscalls/signal_syscalls.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"

namespace mazurka {
namespace {

// As the kernel has it.
struct KernelAction {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)();
  uint64_t mask;
};

sigset_t whole_set(const uint64_t* bits) {
  sigset_t set;
  memset(&set, 0, sizeof set);
  memcpy(&set, bits, sizeof *bits);
  return set;
}

const sigset_t* set_or_null(const long argument, sigset_t& room) {
  if (argument == 0) return nullptr;
  room = whole_set(reinterpret_cast<const uint64_t*>(argument));
  return &room;
}

void put_set(long to, const sigset_t& set) {
  if (to != 0) memcpy(reinterpret_cast<void*>(to), &set, sizeof(uint64_t));
}

struct sigaction from_kernel(const KernelAction& action) {
  struct sigaction out;
  memset(&out, 0, sizeof out);
  out.sa_handler = action.handler;
  out.sa_flags = static_cast<int>(action.flags);
  out.sa_mask = whole_set(&action.mask);
  return out;
}

long set_action(const long* a) {
  struct sigaction wanted;
  struct sigaction old;
  const auto* const given = reinterpret_cast<const KernelAction*>(a[1]);
  auto* const out = reinterpret_cast<KernelAction*>(a[2]);
  if (given != nullptr) wanted = from_kernel(*given);
  if (sigaction(static_cast<int>(a[0]), given == nullptr ? nullptr : &wanted, &old) != 0) return -1;
  if (out == nullptr) return 0;
  *out = {old.sa_handler, static_cast<unsigned long>(old.sa_flags), nullptr, 0};
  memcpy(&out->mask, &old.sa_mask, sizeof out->mask);
  return 0;
}

long set_mask(const long* a) {
  sigset_t room;
  sigset_t old;
  if (sigprocmask(static_cast<int>(a[0]), set_or_null(a[1], room), &old) != 0) return -1;
  put_set(a[2], old);
  return 0;
}

long look_at_pending(const long* a) {
  sigset_t set;
  if (sigpending(&set) != 0) return -1;
  put_set(a[0], set);
  return 0;
}

// One that says of itself what it carries; others but SI_QUEUE have no model.
long queue(int pid, int signal, const siginfo_t& info) {
  if (info.si_code != SI_QUEUE)
    name_unmodelled("a signal with a code of the program's own", MAZURKA_HERE);
  return sigqueue(pid, signal, info.si_value);
}

// tkill: the process of the thread is not said.
long send_to_thread(pid_t thread, int signal) {
  const ThreadId target = thread_of_virtual_pid(thread);
  if (target == kNoThread) return fail(ESRCH);
  return tgkill(virtual_pid(world().thread(target).process), thread, signal);
}

}  // namespace

bool is_signal_call(long number) {
  switch (number) {
    case SYS_rt_sigaction:
    case SYS_rt_sigprocmask:
    case SYS_rt_sigpending:
    case SYS_rt_sigtimedwait:
    case SYS_rt_sigsuspend:
    case SYS_rt_sigqueueinfo:
    case SYS_tkill:
      return true;
    default:
      return false;
  }
}

long do_signal_call(long number, const long* a) {
  sigset_t room;
  switch (number) {
    case SYS_rt_sigaction:
      return set_action(a);
    case SYS_rt_sigprocmask:
      return set_mask(a);
    case SYS_rt_sigpending:
      return look_at_pending(a);
    case SYS_rt_sigtimedwait:
      return sigtimedwait(set_or_null(a[0], room), reinterpret_cast<siginfo_t*>(a[1]),
                          reinterpret_cast<const timespec*>(a[2]));
    case SYS_rt_sigsuspend:
      return sigsuspend(set_or_null(a[0], room));
    case SYS_rt_sigqueueinfo:
      return queue(static_cast<int>(a[0]), static_cast<int>(a[1]),
                   *reinterpret_cast<const siginfo_t*>(a[2]));
    default:
      return send_to_thread(static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
  }
}

}  // namespace mazurka
