// What the machine looks like: so many processors, whatever the program is really pinned to. Where
// a thread runs and how urgent it is changes nothing, because the scheduler decides who runs; so
// settings are accepted, and remembered where they can be asked for.
#include <pthread.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"

namespace mazurka {
namespace {

uint32_t processors() {
  const uint32_t told = segment().control.cpus;
  return told == 0 ? 1 : told;
}

// Returns an error number.
int fill_affinity(size_t size, cpu_set_t* set) {
  const size_t bytes = (size_t{processors()} + 63) / 64 * 8;
  if (size < bytes) return EINVAL;
  CPU_ZERO_S(size, set);
  for (uint32_t i = 0; i < processors(); ++i) CPU_SET_S(i, size, set);
  return 0;
}

// Returns an error number: at least one processor that exists.
int check_affinity(size_t size, const cpu_set_t* set) {
  for (uint32_t i = 0; i < processors(); ++i) {
    if (CPU_ISSET_S(i, size, set)) return 0;
  }
  return EINVAL;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int get_nprocs() {
  return attached() ? static_cast<int>(processors()) : REAL(get_nprocs)();
}

MAZURKA_EXPORT int get_nprocs_conf() {
  return attached() ? static_cast<int>(processors()) : REAL(get_nprocs_conf)();
}

MAZURKA_EXPORT long sysconf(int name) {
  const bool counts_processors = name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF;
  return counts_processors && attached() ? processors() : REAL(sysconf)(name);
}

MAZURKA_EXPORT int sched_getcpu() { return attached() ? 0 : REAL(sched_getcpu)(); }

MAZURKA_EXPORT int getcpu(unsigned* processor, unsigned* node) {
  if (!attached()) return REAL(getcpu)(processor, node);
  if (processor != nullptr) *processor = 0;
  if (node != nullptr) *node = 0;
  return 0;
}

MAZURKA_EXPORT int sched_getaffinity(pid_t pid, size_t size, cpu_set_t* set) {
  if (!attached()) return REAL(sched_getaffinity)(pid, size, set);
  return fail_if(fill_affinity(size, set));
}

MAZURKA_EXPORT int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t* set) {
  if (!attached()) return REAL(sched_setaffinity)(pid, size, set);
  return fail_if(check_affinity(size, set));
}

MAZURKA_EXPORT int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* set) {
  if (!attached()) return REAL(pthread_getaffinity_np)(thread, size, set);
  return fill_affinity(size, set);
}

MAZURKA_EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set) {
  if (!attached()) return REAL(pthread_setaffinity_np)(thread, size, set);
  return check_affinity(size, set);
}
