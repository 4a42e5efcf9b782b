// Names and priorities of threads: accepted, remembered, and of no effect, because the scheduler
// decides who runs. The real calls would speak to the kernel about threads that are not there.
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/threads/threads.h"

namespace mazurka {
namespace {

struct Urgency {
  int16_t policy;
  int16_t priority;
};
// Private memory, so each execution starts anew. A process sees only its own threads.
Urgency urgencies[kMaxThreads];

bool is_known(ThreadId id) { return id != kNoThread && index(id) < kMaxThreads; }

// Returns an error number.
int set_urgency(ThreadId id, int policy, int priority) {
  if (!is_known(id)) return ESRCH;
  const int most = sched_get_priority_max(policy);
  if (most < 0 || priority > most || priority < sched_get_priority_min(policy)) return EINVAL;
  urgencies[index(id)] = {static_cast<int16_t>(policy), static_cast<int16_t>(priority)};
  return 0;
}

// Of a pid we take whatever it names as the caller: others' settings have no effect either.
Urgency& own_urgency() { return urgencies[index(current_thread())]; }

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int pthread_setname_np(pthread_t thread, const char* name) {
  if (!attached()) return REAL(pthread_setname_np)(thread, name);
  const ThreadId id = thread_of_handle(thread);
  if (!is_known(id)) return ESRCH;
  char(&stored)[16] = segment().places[index(id)].name;
  const size_t length = strlen(name);
  if (length >= sizeof stored) return ERANGE;
  memcpy(stored, name, length + 1);
  return 0;
}

MAZURKA_EXPORT int pthread_getname_np(pthread_t thread, char* name, size_t size) {
  if (!attached()) return REAL(pthread_getname_np)(thread, name, size);
  const ThreadId id = thread_of_handle(thread);
  if (!is_known(id)) return ESRCH;
  constexpr size_t kMost = sizeof(ThreadPlace::name);
  if (size < kMost) return ERANGE;
  const char* stored = segment().places[index(id)].name;
  if (stored[0] == '\0') stored = program_invocation_short_name;  // the kernel's choice, too
  const size_t length = strnlen(stored, kMost - 1);
  memcpy(name, stored, length);
  name[length] = '\0';
  return 0;
}

MAZURKA_EXPORT int pthread_setschedparam(pthread_t thread, int policy,
                                         const sched_param* parameters) {
  if (!attached()) return REAL(pthread_setschedparam)(thread, policy, parameters);
  return set_urgency(thread_of_handle(thread), policy, parameters->sched_priority);
}

MAZURKA_EXPORT int pthread_getschedparam(pthread_t thread, int* __restrict policy,
                                         sched_param* __restrict parameters) {
  if (!attached()) return REAL(pthread_getschedparam)(thread, policy, parameters);
  const ThreadId id = thread_of_handle(thread);
  if (!is_known(id)) return ESRCH;
  *policy = urgencies[index(id)].policy;
  parameters->sched_priority = urgencies[index(id)].priority;
  return 0;
}

MAZURKA_EXPORT int pthread_setschedprio(pthread_t thread, int priority) {
  if (!attached()) return REAL(pthread_setschedprio)(thread, priority);
  const ThreadId id = thread_of_handle(thread);
  return is_known(id) ? set_urgency(id, urgencies[index(id)].policy, priority) : ESRCH;
}

MAZURKA_EXPORT int pthread_getcpuclockid(pthread_t thread, clockid_t* clock) {
  if (!attached()) return REAL(pthread_getcpuclockid)(thread, clock);
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return is_known(thread_of_handle(thread)) ? 0 : ESRCH;
}

MAZURKA_EXPORT int clock_getcpuclockid(pid_t pid, clockid_t* clock) {
  if (!attached()) return REAL(clock_getcpuclockid)(pid, clock);
  *clock = CLOCK_PROCESS_CPUTIME_ID;
  return 0;
}

MAZURKA_EXPORT int sched_setscheduler(pid_t pid, int policy, const sched_param* parameters) {
  if (!attached()) return REAL(sched_setscheduler)(pid, policy, parameters);
  return fail_if(set_urgency(current_thread(), policy, parameters->sched_priority));
}

MAZURKA_EXPORT int sched_getscheduler(pid_t pid) {
  return attached() ? own_urgency().policy : REAL(sched_getscheduler)(pid);
}

MAZURKA_EXPORT int sched_setparam(pid_t pid, const sched_param* parameters) {
  if (!attached()) return REAL(sched_setparam)(pid, parameters);
  return fail_if(set_urgency(current_thread(), own_urgency().policy, parameters->sched_priority));
}

MAZURKA_EXPORT int sched_getparam(pid_t pid, sched_param* parameters) {
  if (!attached()) return REAL(sched_getparam)(pid, parameters);
  parameters->sched_priority = own_urgency().priority;
  return 0;
}
