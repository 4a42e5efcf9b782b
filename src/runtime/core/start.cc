// Where the program begins and ends: main, and what libc runs after it.
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cstdio>

#include "runtime/accesses/seen_memory.h"
#include "runtime/core/raw.h"
#include "runtime/heap/allocator.h"
#include "runtime/heap/heap_history.h"
#include "runtime/patches/patches.h"
#include "runtime/processes/process.h"
#include "runtime/reset/memory_image.h"
#include "runtime/reset/module_ends.h"
#include "runtime/reset/server.h"
#include "runtime/syscalls/watched_calls.h"
#include "runtime/threads/unwind.h"

namespace mazurka {

namespace {

void* look_up(const char* name) {
  // Functions with two versions in libc: dlsym gives the old one of some.
  constexpr const char* kVersioned[] = {"pthread_cond_init",   "pthread_cond_destroy",
                                        "pthread_cond_wait",   "pthread_cond_timedwait",
                                        "pthread_cond_signal", "pthread_cond_broadcast"};
  for (const char* versioned : kVersioned) {
    const char* a = versioned;
    const char* b = name;
    while (*a != '\0' && *a == *b) ++a, ++b;
    if (*a == '\0' && *b == '\0') return dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  }
  return dlsym(RTLD_NEXT, name);
}

// What executions of a fork server have found in libc: the later ones need not ask the dynamic
// linker, whose pages they would have to fetch. Only there: libraries that an execution loads
// itself may lie elsewhere in the next.
struct FoundFunctions {
  static constexpr uint32_t kMost = 128;
  struct Found {
    const char* name;  // as the caller has it: all are forked from one process
    void* function;
  };
  uintptr_t libc_start;
  uintptr_t libc_end;
  uint32_t count;
  Found list[kMost];
};
// Shared between processes; null: there are none. Nobody may write there but for a moment: what a
// program scribbles over memory must not reach its next execution.
FoundFunctions* found_functions;

bool protect_found_functions(int protection) {
  return raw_syscall(SYS_mprotect, address_of(found_functions), sizeof(FoundFunctions),
                     protection) == 0;
}

// Requires that both ends are a place in libc.
int find_ends_of_libc(dl_phdr_info* info, size_t, void* found) {
  auto& libc = *static_cast<FoundFunctions*>(found);
  uintptr_t start = UINTPTR_MAX;
  uintptr_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const uintptr_t at = info->dlpi_addr + part.p_vaddr;
    if (at < start) start = at;
    if (at + part.p_memsz > end) end = at + part.p_memsz;
  }
  if (libc.libc_start < start || libc.libc_start >= end) return 0;
  libc.libc_start = start;
  libc.libc_end = end;
  return 1;
}

bool is_in_libc(const void* function) {
  const auto at = reinterpret_cast<uintptr_t>(function);
  return at >= found_functions->libc_start && at < found_functions->libc_end;
}

}  // namespace

void share_found_functions() {
  const long mapped = raw_syscall(SYS_mmap, 0, sizeof(FoundFunctions), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (raw_failed(mapped)) return;
  found_functions = reinterpret_cast<FoundFunctions*>(mapped);
  found_functions->libc_start = found_functions->libc_end =
      reinterpret_cast<uintptr_t>(look_up("exit"));
  dl_iterate_phdr(find_ends_of_libc, found_functions);
  protect_found_functions(PROT_READ);
}

void* real_function(const char* name) {
  note_found_function();
  if (found_functions == nullptr) return look_up(name);
  for (uint32_t i = 0; i < found_functions->count && i < FoundFunctions::kMost; ++i) {
    if (found_functions->list[i].name == name) return found_functions->list[i].function;
  }
  void* const function = look_up(name);
  if (found_functions->count < FoundFunctions::kMost && is_in_libc(function) &&
      protect_found_functions(PROT_READ | PROT_WRITE)) {
    found_functions->list[found_functions->count++] = {name, function};
    protect_found_functions(PROT_READ);
  }
  return function;
}

namespace {

using Main = int (*)(int, char**, char**);
using Fini = void (*)();
Main real_main;
Fini real_rtld_fini;

// The program's stack begins at the end of a page: mostly that is all of it that is written, and
// that a reset copies back.
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

void leave_process() { end_process((context(state.current).exit_status & 0xff) << 8, {}); }

// The last thing that exit() calls before it would leave by a system call of its own. Another
// thread that comes to exit() after that one does leave by it (watched_calls.cc).
void after_all_handlers() {
  end_modules(real_rtld_fini);
  fflush(nullptr);
  leave_process();
}

void after_quick_exit_handlers() { leave_process(); }

// What we make libgcc do at the start of an image that comes after exec is no operation of the
// program's.
__attribute__((constructor(101))) void begin() {
  if (!attached()) return;
  const bool scheduling = state.scheduling;
  state.scheduling = false;
  prepare_unwinding();
  state.scheduling = scheduling;
  may_see_memory();
  if (scheduling) {
    patch_modules();
    watch_calls_again();
  }
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

extern "C" int __libc_start_main(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

MAZURKA_EXPORT int __libc_start_main(Main program_main, int argc, char** argv, void (*init)(),
                                     void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  if (!attached())
    return REAL(__libc_start_main)(program_main, argc, argv, init, fini, rtld_fini, stack_end);
  real_main = program_main;
  real_rtld_fini = rtld_fini;
  allocator_begin();
  at_quick_exit(after_quick_exit_handlers);
  return REAL(__libc_start_main)(wrapped_main, argc, argv, init, fini, after_all_handlers,
                                 stack_end);
}

// Called before main (include/mazurka/check.h): a test program runs the function that it explores,
// and not its tests.
extern "C" void mazurka_rt_run_instead(Main body);
MAZURKA_EXPORT void mazurka_rt_run_instead(Main body) {
  if (attached()) real_main = body;
}
// Whether a tool explores this process. What mazurka-c++ has built has the runtime without one.
extern "C" int mazurka_rt_is_attached();
MAZURKA_EXPORT int mazurka_rt_is_attached() { return attached() ? 1 : 0; }

MAZURKA_EXPORT void quick_exit(int status) {
  if (attached()) context(state.current).exit_status = status;
  REAL(quick_exit)(status);
  __builtin_unreachable();
}
