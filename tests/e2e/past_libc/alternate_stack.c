// Handlers of signals, of a fault and of an overflow run on the stack of their thread. BUG: without
// SA_ONSTACK they do not.
// check: verdict=ok
// check BUG: verdict=error findings=assertion
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

enum { kSize = 1 << 16 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread sigjmp_buf back;
static __thread char* low;
static __thread volatile int is_there;

static void look(void) {
  char here;
  is_there = &here >= low && &here < low + kSize;
  stack_t present;
  sigaltstack(0, &present);
  if (is_there && present.ss_flags != SS_ONSTACK) abort();
}

static void on_signal(int number) {
  (void)number;
  look();
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void on_instruction(int number, siginfo_t* info, void* context) {
  (void)info;
  on_signal(number);
  ((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

static void on_overflow(int number) {
  (void)number;
  look();
  siglongjmp(back, 1);
}

static int overflow(int depth) {
  volatile char frame[4096];
  frame[0] = (char)depth;
  return depth < 0 ? 0 : overflow(depth + 1) + frame[0];
}

static void* try(void* unused) {
  stack_t present;
  sigaltstack(0, &present);
  assert(present.ss_flags == SS_DISABLE);
  low = malloc(kSize);
  const stack_t stack = {.ss_sp = low, .ss_size = kSize};
  assert(sigaltstack(&stack, 0) == 0);
  pthread_kill(pthread_self(), SIGUSR1);
  assert(is_there);
  is_there = 0;
  __asm__ volatile("ud2");
  assert(is_there);
  is_there = 0;
  if (sigsetjmp(back, 1) == 0) overflow(0);
  assert(is_there);
  return unused;
}

int main(void) {
#ifdef BUG
  const int flags = 0;
#else
  const int flags = SA_ONSTACK;
#endif
  const struct sigaction on_user = {.sa_handler = on_signal, .sa_flags = flags};
  sigaction(SIGUSR1, &on_user, 0);
  const struct sigaction on_ud2 = {.sa_sigaction = on_instruction,
                                   .sa_flags = SA_ONSTACK | SA_SIGINFO};
  sigaction(SIGILL, &on_ud2, 0);
  const struct sigaction on_segv = {.sa_handler = on_overflow, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &on_segv, 0);
  pthread_t thread;
  pthread_create(&thread, 0, try, 0);
  pthread_join(thread, 0);
  try(0);
  return 0;
}
