// Where the program begins and ends: main, and what libc runs after it.
#include <dlfcn.h>
#include <stdlib.h>

#include <cstdio>

#include "runtime/heap_history.h"
#include "runtime/memory_image.h"
#include "runtime/module_ends.h"
#include "runtime/process.h"
#include "runtime/seen_memory.h"
#include "runtime/server.h"
#include "runtime/watched_calls.h"
#include "runtime/unwind.h"

namespace mazurka {

void* real_function(const char* name) {
  note_found_function();
  // Functions with two versions in libc: dlsym gives the old one of some.
  constexpr const char* kVersioned[] = {"pthread_cond_init",      "pthread_cond_destroy", "pthread_cond_wait",
                                        "pthread_cond_timedwait", "pthread_cond_signal",  "pthread_cond_broadcast"};
  for (const char* versioned : kVersioned) {
    const char* a = versioned;
    const char* b = name;
    while (*a != '\0' && *a == *b) ++a, ++b;
    if (*a == '\0' && *b == '\0') return dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  }
  return dlsym(RTLD_NEXT, name);
}

namespace {

using Main = int (*)(int, char**, char**);
using Fini = void (*)();
Main real_main;
Fini real_rtld_fini;

// The program's stack begins at the end of a page: mostly that is all of it that is written, and that a reset copies back.
int wrapped_main(int argc, char** argv, char** environment) {
  constexpr uintptr_t kPage = 4096;
  const uintptr_t used = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) % kPage;
  void* const rest = __builtin_alloca(used);
  asm volatile("" : : "r"(rest) : "memory");
  context(state.current).first_frame = rest;
  begin_executions();
  if (segment().plan.stacks) keep_history();
  exit(real_main(argc, argv, environment));
}

// The last thing that exit() calls before it would leave by a system call of its own, which we could not see.
void after_all_handlers() {
  end_modules(real_rtld_fini);
  fflush(nullptr);
  end_process((state.exit_status & 0xff) << 8, {});
}

void after_quick_exit_handlers() { end_process((state.exit_status & 0xff) << 8, {}); }

// What we make libgcc do at the start of an image that comes after exec is no operation of the program's.
__attribute__((constructor(101))) void begin() {
  if (!attached()) return;
  const bool scheduling = state.scheduling;
  state.scheduling = false;
  prepare_unwinding();
  state.scheduling = scheduling;
  may_see_memory();
  if (scheduling) watch_calls_again();
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

extern "C" int __libc_start_main(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

MAZURKA_EXPORT int __libc_start_main(Main program_main, int argc, char** argv, void (*init)(), void (*fini)(),
                                     void (*rtld_fini)(), void* stack_end) {
  if (!attached()) return REAL(__libc_start_main)(program_main, argc, argv, init, fini, rtld_fini, stack_end);
  real_main = program_main;
  real_rtld_fini = rtld_fini;
  at_quick_exit(after_quick_exit_handlers);
  return REAL(__libc_start_main)(wrapped_main, argc, argv, init, fini, after_all_handlers, stack_end);
}

// Called before main (include/mazurka/check.h): a test program runs the function that it explores, and not its tests.
extern "C" void mazurka_rt_run_instead(Main body);
MAZURKA_EXPORT void mazurka_rt_run_instead(Main body) {
  if (attached()) real_main = body;
}

MAZURKA_EXPORT void quick_exit(int status) {
  if (attached()) state.exit_status = status;
  REAL(quick_exit)(status);
  __builtin_unreachable();
}
