#include "runtime/signals/signal_handler.h"

#include <link.h>

#include "runtime/core/raw.h"

// Unwinders know a signal's frame by just these instructions, and by there being no unwind
// information for the byte before them: so that byte is not the end of another function.
__asm__(R"(
.text
  nop
.type mazurka_signal_return,@function
.hidden mazurka_signal_return
.globl mazurka_signal_return
mazurka_signal_return:
  mov $15, %rax
  syscall
.size mazurka_signal_return,.-mazurka_signal_return
)");
extern "C" void mazurka_signal_return();

namespace mazurka {
namespace {

// As the kernel has it.
struct KernelAction {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  uint64_t mask;
};
constexpr unsigned long kHasRestorer = 0x04000000;

struct Code {
  uintptr_t start = 0;
  size_t length = 0;
};

int find_own_code(dl_phdr_info* info, size_t, void* result) {
  const auto here = reinterpret_cast<uintptr_t>(&find_own_code);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0 || here - start >= header.p_memsz)
      continue;
    *static_cast<Code*>(result) = {start, header.p_memsz};
    return 1;
  }
  return 0;
}

}  // namespace

void install_handler(int signal, void (*handler)(int, siginfo_t*, void*)) {
  const KernelAction action{handler, SA_SIGINFO | SA_ONSTACK | SA_NODEFER | kHasRestorer,
                            mazurka_signal_return, 0};
  raw_syscall(SYS_rt_sigaction, signal, address_of(&action), 0, sizeof action.mask);
}

bool own_code(uintptr_t& start, size_t& length) {
  Code code;
  dl_iterate_phdr(find_own_code, &code);
  start = code.start;
  length = code.length;
  return length != 0;
}

}  // namespace mazurka
