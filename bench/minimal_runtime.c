// The limit of docs/performance.md: a preloaded library that runs one program again and again, and
// does nothing but that.
//
// What it does as the real runtime must: threads are fibers with a stack and TLS of their own;
// creating, joining, locking and unlocking are interposed, and at each operation the first thread
// that can go on is looked for and switched to; exit handlers run; then memory is copied back from
// the image taken before main. There are two ways to do that:
//   MINIMAL_RESTORE=used     all private pages that are in use: what a plain loop does, which does
//   not know what will be written MINIMAL_RESTORE=changed  the pages that were different after the
//   first executions. All executions here are the same, so they
//                            are known; no tool that explores different ones can know them.
// What it does not do: follow plans, log, check for misuse or divergence, search, talk to another
// process, watch system calls, or find out which pages were written.
//
// Usage: LD_PRELOAD=libminimal_runtime.so MINIMAL_EXECUTIONS=N MINIMAL_RESTORE=used|changed
// MINIMAL_THREADS=N setarch -R PROGRAM ARGUMENTS. Prints executions a second. Threads: those that
// the program makes at most. Programs may use pthread_create, pthread_join, mutexes, reader-writer
// locks and mz_toss (which is 0).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { kMostThreads = 128, kMostRanges = 4096, kPage = 4096, kStack = 256 << 10, kLearnFrom = 3 };

// --- fibers

void minimal_switch(void** save, void* load, void* fs_base);
__asm__(
    ".text\n.hidden minimal_switch\n.globl minimal_switch\nminimal_switch:\n"
    "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
    "  sub $8, %rsp\n  stmxcsr (%rsp)\n  fnstcw 4(%rsp)\n"
    "  mov %rsp, (%rdi)\n  mov %rsi, %rsp\n  wrfsbase %rdx\n"
    "  ldmxcsr (%rsp)\n  fldcw 4(%rsp)\n  add $8, %rsp\n"
    "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
    "  pop %rcx\n  jmp *%rcx\n");

enum State { Absent, Ready, Locking, Reading, Writing, Joining, Ended };

struct Fiber {
  void* stack_pointer;
  void* fs_base;
  pthread_t handle;
  void* stack;  // where it begins
  enum State state;
  void* waits_for;  // mutex, lock or fiber
  void* (*start)(void*);
  void* argument;
  void* result;
};

// Private memory: the reset takes it back.
static struct Fiber fibers[kMostThreads];
static int fiber_count;
static int shell_count;
static int current;
static int running;  // the program's own code

// A mutex or reader-writer lock, in its own bytes.
struct Lock {
  int owner;  // 1: locked
  int readers;
};

static int can_go_on(const struct Fiber* fiber) {
  const struct Lock* lock = fiber->waits_for;
  switch (fiber->state) {
    case Ready:
      return 1;
    case Locking:
      return lock->owner == 0;
    case Reading:
      return lock->owner == 0;
    case Writing:
      return lock->owner == 0 && lock->readers == 0;
    case Joining:
      return ((const struct Fiber*)fiber->waits_for)->state == Ended;
    default:
      return 0;
  }
}

static void go_on(void) {
  int next = 0;
  while (next < fiber_count && !can_go_on(&fibers[next])) ++next;
  if (next == fiber_count) abort();  // a deadlock: not with this order of these programs
  const int me = current;
  if (next == me) return;
  current = next;
  minimal_switch(&fibers[me].stack_pointer, fibers[next].stack_pointer, fibers[next].fs_base);
}

static void reach(enum State state, void* waits_for) {
  struct Fiber* me = &fibers[current];
  me->state = state;
  me->waits_for = waits_for;
  go_on();
  me->state = Ready;
}

static void fiber_main(void) {
  struct Fiber* me = &fibers[current];
  me->result = me->start(me->argument);
  me->state = Ended;
  go_on();
}

static void* prepare_stack(void* begin, void (*entry)(void)) {
  uint64_t* top = (uint64_t*)((uintptr_t)begin & ~(uintptr_t)63);
  *--top = 0;
  *--top = (uint64_t)(uintptr_t)entry;
  for (int i = 0; i < 6; ++i) *--top = 0;
  *--top = (uint64_t)0x37f << 32 | 0x1f80;  // x87 control word, mxcsr
  return top;
}

// --- threads that have left, but for their stack and TLS

static long raw(long number, long a, long b, long c, long d) {
  long result;
  register long r10 __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                   : "rcx", "r11", "memory");
  return result;
}

static uint32_t shell_lives;

static void* shell_main(void* fiber) {
  struct Fiber* self = fiber;
  self->handle = pthread_self();
  self->fs_base = (void*)self->handle;
  self->stack = (char*)__builtin_frame_address(0) - 1024;
  raw(SYS_set_tid_address, (long)&shell_lives, 0, 0, 0);
  for (;;) raw(SYS_exit, 0, 0, 0, 0);
  return NULL;
}

static int (*real_create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

static void make_shell(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  __atomic_store_n(&shell_lives, 1, __ATOMIC_RELEASE);
  pthread_t handle;
  if (real_create(&handle, &attributes, shell_main, &fibers[shell_count]) != 0) abort();
  for (uint32_t value; (value = __atomic_load_n(&shell_lives, __ATOMIC_ACQUIRE)) != 0;) {
    raw(SYS_futex, (long)&shell_lives, FUTEX_WAIT, value, 0);
  }
  ++shell_count;
}

// --- the program's calls

EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* argument) {
  if (!running) return real_create(handle, attributes, start, argument);
  if (fiber_count == shell_count) abort();
  const int me = current;
  struct Fiber* child = &fibers[fiber_count];
  child->stack_pointer = prepare_stack(child->stack, fiber_main);
  child->start = start;
  child->argument = argument;
  child->state = Ready;
  *handle = child->handle;
  // It runs up to its first operation, as under the real runtime.
  current = fiber_count++;
  minimal_switch(&fibers[me].stack_pointer, child->stack_pointer, child->fs_base);
  return 0;
}

EXPORT int pthread_join(pthread_t handle, void** result) {
  int target = 0;
  while (target < fiber_count && fibers[target].handle != handle) ++target;
  if (target == fiber_count) abort();
  reach(Joining, &fibers[target]);
  if (result != NULL) *result = fibers[target].result;
  return 0;
}

EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (running) reach(Locking, mutex);
  ((struct Lock*)mutex)->owner = 1;
  return 0;
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (running) reach(Ready, mutex);
  ((struct Lock*)mutex)->owner = 0;
  return 0;
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  if (running) reach(Reading, lock);
  ++((struct Lock*)lock)->readers;
  return 0;
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  if (running) reach(Writing, lock);
  ((struct Lock*)lock)->owner = 1;
  return 0;
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* locked) {
  struct Lock* lock = (struct Lock*)locked;
  if (running) reach(Ready, lock);
  if (lock->owner) {
    lock->owner = 0;
  } else {
    --lock->readers;
  }
  return 0;
}

EXPORT int mazurka_rt_toss(int largest) {
  (void)largest;
  reach(Ready, NULL);
  return 0;
}

// --- image and loop

// Shared memory: no part of the image.
struct Range {
  char* start;
  size_t length;
  char* saved;
};
struct Loop {
  void* stack_pointer;
  long executions;
  long pages;
  int copies_used;
  int range_count;  // all private writable memory
  struct Range ranges[kMostRanges];
  int restored_count;  // what is copied back
  struct Range restored[kMostRanges];
  char stack[kStack];
};
static struct Loop* loop;

static void* map_shared(size_t bytes) {
  void* mapped =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) abort();
  return mapped;
}

// Nobody has written to the others yet.
static int is_used(int pagemap, const char* page) {
  uint64_t entry = 0;
  if (pread(pagemap, &entry, sizeof entry, (off_t)((uintptr_t)page / kPage * sizeof entry)) !=
      sizeof entry)
    abort();
  return entry >> 62 != 0;  // in memory or swapped out
}

static void take_image(void) {
  char* text = map_shared(1 << 20);
  const int file = open("/proc/self/maps", O_RDONLY);
  for (ssize_t got, size = 0; (got = read(file, text + size, (1 << 20) - 1 - (size_t)size)) > 0;)
    size += got;
  close(file);
  for (char* line = text; *line != 0; line = strchr(line, '\n') + 1) {
    char* rest;
    char* start = (char*)strtoul(line, &rest, 16);
    char* end = (char*)strtoul(rest + 1, &rest, 16);
    if (strncmp(rest, " rw-p", 5) != 0) continue;
    if (loop->range_count == kMostRanges) abort();
    loop->ranges[loop->range_count++] =
        (struct Range){start, (size_t)(end - start), map_shared((size_t)(end - start))};
  }
  const int pagemap = open("/proc/self/pagemap", O_RDONLY);
  for (int i = 0; i < loop->range_count; ++i) {
    const struct Range* range = &loop->ranges[i];
    for (size_t at = 0; at < range->length;
         at += kPage) {  // the others are zeroes, and stay unused
      if (is_used(pagemap, range->start + at)) memcpy(range->saved + at, range->start + at, kPage);
    }
  }
  close(pagemap);
}

static void add_restored(char* page, char* saved) {
  struct Range* last = &loop->restored[loop->restored_count - 1];
  ++loop->pages;
  if (loop->restored_count > 0 && last->start + last->length == page &&
      last->saved + last->length == saved) {
    last->length += kPage;
    return;
  }
  if (loop->restored_count == kMostRanges) abort();
  loop->restored[loop->restored_count++] = (struct Range){page, kPage, saved};
}

static void find_restored_pages(void) {
  const int pagemap = open("/proc/self/pagemap", O_RDONLY);
  if (pagemap < 0) abort();
  loop->restored_count = 0;
  loop->pages = 0;
  for (int i = 0; i < loop->range_count; ++i) {
    const struct Range* range = &loop->ranges[i];
    for (size_t at = 0; at < range->length; at += kPage) {
      char* page = range->start + at;
      char* saved = range->saved + at;
      if (!is_used(pagemap, page)) continue;
      if (loop->copies_used || memcmp(page, saved, kPage) != 0) add_restored(page, saved);
    }
  }
  close(pagemap);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void run_and_restore(int learn) {
  minimal_switch(&loop->stack_pointer, fibers[0].stack_pointer, fibers[0].fs_base);
  if (learn) find_restored_pages();
  for (int i = 0; i < loop->restored_count; ++i) {
    memcpy(loop->restored[i].start, loop->restored[i].saved, loop->restored[i].length);
  }
}

static void run_loop(void) {
  take_image();
  for (int i = 0; i < kLearnFrom; ++i) run_and_restore(1);
  const double begin = now();
  for (long i = 0; i < loop->executions; ++i) run_and_restore(0);
  const double seconds = now() - begin;
  char line[128];
  const int length = snprintf(line, sizeof line, "{\"rate\": %.0f, \"pages\": %ld}\n",
                              (double)loop->executions / seconds, loop->pages);
  if (write(2, line, (size_t)length) != length) abort();
  _exit(0);
}

// --- where the program begins and ends

typedef int (*Main)(int, char**, char**);
static Main real_main;
static void (*real_rtld_fini)(void);

static int wrapped_main(int argc, char** argv, char** environment) {
  const char* executions = getenv("MINIMAL_EXECUTIONS");
  const char* threads = getenv("MINIMAL_THREADS");
  const char* restore = getenv("MINIMAL_RESTORE");
  mallopt(M_ARENA_MAX, 1);  // a fiber that frees for the first time should not map an arena
  loop = map_shared(sizeof *loop);
  loop->executions = executions != NULL ? atol(executions) : 1;
  loop->copies_used = restore != NULL && strcmp(restore, "used") == 0;
  const int most_threads = threads != NULL ? atoi(threads) : kMostThreads - 1;
  if (most_threads >= kMostThreads) abort();
  real_create = (int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))dlsym(
      RTLD_NEXT, "pthread_create");
  fibers[0] =
      (struct Fiber){.fs_base = (void*)pthread_self(), .handle = pthread_self(), .state = Ready};
  fiber_count = shell_count = 1;
  while (shell_count <= most_threads) make_shell();
  running = 1;
  minimal_switch(&fibers[0].stack_pointer, prepare_stack(loop->stack + kStack, run_loop),
                 fibers[0].fs_base);
  exit(real_main(argc, argv, environment));
}

static void after_all_handlers(void) {
  if (real_rtld_fini != NULL) real_rtld_fini();
  fflush(NULL);
  void* nobody;
  minimal_switch(&nobody, loop->stack_pointer, fibers[0].fs_base);
}

EXPORT int __libc_start_main(Main program_main, int argc, char** argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void* stack_end) {
  int (*real)(Main, int, char**, void (*)(void), void (*)(void), void (*)(void), void*) =
      (int (*)(Main, int, char**, void (*)(void), void (*)(void), void (*)(void), void*))dlsym(
          RTLD_NEXT, "__libc_start_main");
  real_main = program_main;
  real_rtld_fini = rtld_fini;
  return real(wrapped_main, argc, argv, init, fini, after_all_handlers, stack_end);
}
