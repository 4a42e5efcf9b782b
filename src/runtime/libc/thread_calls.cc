// Functions of threads, processes and signals.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "runtime/libc/seen_calls.h"

namespace mazurka {
namespace {

#define MAZURKA_SEEN MAZURKA_SEEN_FUNCTION
#define MAZURKA_SEEN_VOID MAZURKA_SEEN_VOID_FUNCTION
#include "runtime/libc/thread_rows.inc"
#undef MAZURKA_SEEN
#undef MAZURKA_SEEN_VOID

#define MAZURKA_SEEN(type, name, parameters, arguments, before, after) \
  MAZURKA_SEEN_ENTRY(name, name)
#define MAZURKA_SEEN_VOID(name, parameters, arguments, before, after) MAZURKA_SEEN_ENTRY(name, name)
const SeenCall kThreadCalls[] = {
#include "runtime/libc/thread_rows.inc"
};

}  // namespace

SeenCalls seen_thread_calls() { return {kThreadCalls, sizeof kThreadCalls / sizeof *kThreadCalls}; }

}  // namespace mazurka
