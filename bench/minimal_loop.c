// The limit: what a tool could do at best that runs threads as fibers, picks an enabled one at each operation and copies memory
// back, but does not search, log or check anything.
//
// Usage: minimal_loop THREADS LOCKS PAGES EXECUTIONS
// THREADS fibers lock and unlock one mutex LOCKS times each; PAGES pages are restored after each execution. Prints executions
// a second.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { kMost = 64, kPage = 4096, kStack = 16 * kPage };

void switch_to(void** save, void* load);
__asm__(
    ".text\n.globl switch_to\nswitch_to:\n"
    "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
    "  mov %rsp, (%rdi)\n  mov %rsi, %rsp\n"
    "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
    "  pop %rcx\n  jmp *%rcx\n");

enum Operation { Lock, Unlock, Ended };
static struct Fiber {
  void* stack_pointer;
  char* stack;
  enum Operation pending;
} fibers[kMost];
static int threads, locks, owner, current;
static void* loop_stack_pointer;
static volatile int counter;

static int pick(void) {
  for (int i = 0; i < threads; ++i) {
    const enum Operation op = fibers[i].pending;
    if (op == Unlock || (op == Lock && owner < 0)) return i;
  }
  return -1;
}

static void go_on(void** save) {
  const int next = pick();
  if (next == current && save != NULL) return;
  static void* nobody;
  void** from = save != NULL ? save : &nobody;
  current = next;
  switch_to(from, next < 0 ? loop_stack_pointer : fibers[next].stack_pointer);
}

static void reach(enum Operation op) {
  const int me = current;
  fibers[me].pending = op;
  go_on(&fibers[me].stack_pointer);
  owner = op == Lock ? me : -1;
}

static void fiber_main(void) {
  for (int i = 0; i < locks; ++i) {
    reach(Lock);
    counter++;
    reach(Unlock);
  }
  fibers[current].pending = Ended;
  go_on(NULL);
}

static void begin(struct Fiber* fiber) {
  void** top = (void**)(fiber->stack + kStack - 64);
  *--top = NULL;
  *--top = (void*)fiber_main;
  for (int i = 0; i < 6; ++i) *--top = NULL;
  fiber->stack_pointer = top;
  fiber->pending = Lock;
}

static void run_one(void) {
  owner = -1;
  for (int i = 0; i < threads; ++i) begin(&fibers[i]);
  current = 0;
  switch_to(&loop_stack_pointer, fibers[0].stack_pointer);
}

static char* map(size_t bytes, int how) {
  char* mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) exit(1);
  return memset(mapped, 1, bytes);
}

int main(int argc, char** argv) {
  if (argc < 5 || (threads = atoi(argv[1])) > kMost || threads < 1) return 2;
  locks = atoi(argv[2]);
  const size_t pages = (size_t)atoi(argv[3]);
  const long executions = atol(argv[4]);
  for (int i = 0; i < threads; ++i) fibers[i].stack = map(kStack, MAP_PRIVATE);
  char* memory = map(pages * 8 * kPage, MAP_PRIVATE);
  const char* saved = map(pages * kPage, MAP_SHARED);
  struct timespec begin_time, end_time;
  clock_gettime(CLOCK_MONOTONIC, &begin_time);
  for (long i = 0; i < executions; ++i) {
    run_one();
    for (size_t page = 0; page < pages; ++page) memcpy(memory + page * 8 * kPage, saved + page * kPage, kPage);
  }
  clock_gettime(CLOCK_MONOTONIC, &end_time);
  if (counter != (int)(executions * threads * locks)) return 1;
  const double seconds = (double)(end_time.tv_sec - begin_time.tv_sec) + (double)(end_time.tv_nsec - begin_time.tv_nsec) / 1e9;
  printf("%.0f\n", (double)executions / seconds);
}
