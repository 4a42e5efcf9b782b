#include "runtime/threads/fiber.h"

#include <asm/prctl.h>
#include <linux/futex.h>
#include <sys/mman.h>

#include <cerrno>

#include "protocol/names.h"
#include "runtime/core/raw.h"
#include "runtime/reset/in_place.h"

// mazurka_switch(void** save_sp, void* load_sp, void* fs_base): callee-saved registers, mxcsr and
// the x87 control word go to the stack; the last two are loaded only where they differ, because
// that is slow. A null fs_base leaves it alone. The jump at the end, in place of ret, keeps the
// branch predictor's return stack out of it.
__asm__(R"(
.text
.type mazurka_switch,@function
.hidden mazurka_switch
.globl mazurka_switch
mazurka_switch:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  sub $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  mov (%rsp), %eax
  movzwl 4(%rsp), %ecx
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  test %rdx, %rdx
  jz 1f
  wrfsbase %rdx
1:
  cmp %eax, (%rsp)
  je 2f
  ldmxcsr (%rsp)
2:
  cmp %cx, 4(%rsp)
  je 3f
  fldcw 4(%rsp)
3:
  add $8, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  pop %rcx
  jmp *%rcx
.size mazurka_switch,.-mazurka_switch
)");
extern "C" void mazurka_switch(void** save_sp, void* load_sp, void* fs_base);

namespace mazurka {
namespace {

// The kernel clears it when the shell's kernel thread has gone. Only one shell is made at a time.
uint32_t shell_lives;

// Runs on the new real thread: notes what is to be borrowed, and leaves without glibc's knowing.
// Nothing here may use the stack after the kernel thread is gone, and nobody uses it before.
void* shell_main(void* argument) {
  auto* self = static_cast<Context*>(argument);
  const uint64_t all_signals = ~uint64_t{0};
  raw_syscall(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, address_of(&all_signals), 0,
              sizeof all_signals);
  self->handle = own_handle();
  self->fs_base = reinterpret_cast<void*>(self->handle);
  self->stack_pointer = static_cast<char*>(__builtin_frame_address(0)) - 1024;
  // Our scratch word in place of the TCB's tid field, which must survive.
  raw_syscall(SYS_set_tid_address, address_of(&shell_lives));
  for (;;) raw_syscall(SYS_exit, 0);
}

void await_shell() {
  for (;;) {
    const uint32_t value = __atomic_load_n(&shell_lives, __ATOMIC_ACQUIRE);
    if (value == 0) return;
    raw_syscall(SYS_futex, address_of(&shell_lives), FUTEX_WAIT, value);
  }
}

uintptr_t lowest_of_stack(ThreadId id) {
  return kStackBase + slot_of(id) * kStackStride + kStackGuard;
}

// The memory for a thread's stack: its own place. Below it is nothing up to the next one's, so who
// overflows it crashes.
int map_stack(Context& self, ThreadId id, size_t size) {
  const uintptr_t low = lowest_of_stack(id);
  if (size + kStackGuard > kStackStride) return EAGAIN;
  const long mapped = raw_syscall(
      SYS_mmap, static_cast<long>(low), static_cast<long>(size), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED_NOREPLACE, -1, 0);
  if (raw_failed(mapped)) return out_of_threads(EAGAIN);
  note_program_mapping(low, size);
  self.stack_low = reinterpret_cast<char*>(low);
  self.stack_size = size;
  return 0;
}

// Requires that nobody runs on it. A stack that the program brought along stays its own.
void unmap_stack(Context& self, ThreadId id) {
  if (reinterpret_cast<uintptr_t>(self.stack_low) == lowest_of_stack(id))
    raw_syscall(SYS_munmap, address_of(self.stack_low), static_cast<long>(self.stack_size));
  self.stack_low = nullptr;
  self.stack_size = 0;
}

// A stack that the program brings along, or ours in the size that it wants at least.
int choose_stack(Context& self, ThreadId id, const pthread_attr_t* attributes) {
  size_t size = 0;
  void* low = nullptr;
  if (attributes != nullptr && pthread_attr_getstack(attributes, &low, &size) == 0 &&
      low != nullptr && reinterpret_cast<uintptr_t>(low) + size != 0) {
    self.stack_low = static_cast<char*>(low);
    self.stack_size = size;
    return 0;
  }
  size = 0;
  if (attributes != nullptr) pthread_attr_getstacksize(attributes, &size);
  return map_stack(self, id, size > kStackSize ? size : kStackSize);
}

}  // namespace

int out_of_threads(int error) {
  if (state.scheduling)
    runtime_error("the system has no thread or no memory left for a thread of the program");
  return error;
}

int make_shell(ThreadId id, const pthread_attr_t* attributes) {
  Context& self = context(id);
  if (self.has_shell) return 0;
  RuntimeHeap own;
  SystemCallsAllowed allowed;
  OwnCalls calls;
  if (const int error = choose_stack(self, id, attributes); error != 0) return error;
  pthread_attr_t shell;
  pthread_attr_init(&shell);
  pthread_attr_setstack(&shell, self.stack_low, self.stack_size);
  __atomic_store_n(&shell_lives, 1, __ATOMIC_RELEASE);
  pthread_t handle;
  const int error = REAL(pthread_create)(&handle, &shell, shell_main, &self);
  pthread_attr_destroy(&shell);
  if (error != 0) {
    unmap_stack(self, id);
    return error == EAGAIN ? out_of_threads(error) : error;
  }
  await_shell();
  self.has_shell = true;
  return 0;
}

void prepare_fiber(ThreadId id, void (*entry)()) { prepare_stack(context(id), entry); }

void prepare_stack(Context& stack, void (*entry)()) {
  auto* top = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(stack.stack_pointer) &
                                          ~uintptr_t{63});
  *--top = 0;  // the end of the stack for unwinders
  *--top = reinterpret_cast<uint64_t>(entry);
  for (int i = 0; i < 6; ++i) *--top = 0;
  *--top = (uint64_t{0x37f} << 32) | 0x1f80;  // x87 control word, mxcsr: the defaults
  stack.stack_pointer = top;
}

void switch_fiber(ThreadId from, ThreadId to) {
  switch_stacks(&context(from).stack_pointer, context(to));
}

void switch_stacks(void** save, const Context& to) {
  void* fs_base = to.fs_base;
  if (!state.has_fsgsbase) {
    raw_syscall(SYS_arch_prctl, ARCH_SET_FS, address_of(static_cast<char*>(fs_base)));
    fs_base = nullptr;
  }
  mazurka_switch(save, to.stack_pointer, fs_base);
}

}  // namespace mazurka
