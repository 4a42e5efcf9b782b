// expect: executions=1 transitions=3 verdict=ok
// The machine looks the same to everybody who asks, and settings of threads are remembered.
#include <pthread.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>

static void machine() {
  const int processors = get_nprocs();
  assert(processors >= 1 && get_nprocs_conf() == processors);
  assert(sysconf(_SC_NPROCESSORS_ONLN) == processors &&
         sysconf(_SC_NPROCESSORS_CONF) == processors);
  assert(std::thread::hardware_concurrency() == static_cast<unsigned>(processors));
  cpu_set_t set;
  assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == processors);
  assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 &&
         CPU_COUNT(&set) == processors);
  assert(sched_getcpu() >= 0 && sched_getcpu() < processors);
  CPU_ZERO(&set);
  assert(sched_setaffinity(0, sizeof set, &set) == -1 && errno == EINVAL);
  CPU_SET(0, &set);
  assert(sched_setaffinity(0, sizeof set, &set) == 0);
  assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
  assert(sysconf(_SC_PAGESIZE) == 4096);
}

static void settings(pthread_t thread) {
  char name[16];
  assert(pthread_setname_np(thread, "worker") == 0);
  assert(pthread_getname_np(thread, name, sizeof name) == 0 && std::strcmp(name, "worker") == 0);
  assert(pthread_setname_np(thread, "a name that is too long") == ERANGE);
  int policy = -1;
  sched_param parameters{};
  assert(pthread_getschedparam(thread, &policy, &parameters) == 0 && policy == SCHED_OTHER);
  parameters.sched_priority = 10;
  assert(pthread_setschedparam(thread, SCHED_OTHER, &parameters) == EINVAL);
  assert(pthread_setschedparam(thread, SCHED_FIFO, &parameters) == 0);
  assert(pthread_getschedparam(thread, &policy, &parameters) == 0 && policy == SCHED_FIFO);
  assert(parameters.sched_priority == 10 && pthread_setschedprio(thread, 11) == 0);
  clockid_t clock;
  timespec time;
  assert(pthread_getcpuclockid(thread, &clock) == 0 && clock_gettime(clock, &time) == 0);
}

int main() {
  machine();
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 &&
         std::strcmp(name, "cpus") == 0);
  std::mutex mutex;
  std::thread thread([&] { std::lock_guard<std::mutex> lock(mutex); });
  settings(thread.native_handle());
  thread.join();
}
