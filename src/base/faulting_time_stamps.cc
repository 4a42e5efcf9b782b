#include "base/faulting_time_stamps.h"

#include <signal.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include <cstdint>
#include <cstring>

namespace mazurka {
namespace {

struct sigaction before_ours;

// Requires that the instruction there faulted, so that its bytes can be read.
bool reads_time_stamp(uint64_t pc) {
  constexpr uint8_t kRdtsc[] = {0x0f, 0x31};
  constexpr uint8_t kRdtscp[] = {0x0f, 0x01, 0xf9};
  const auto* const code = reinterpret_cast<const uint8_t*>(pc);
  return std::memcmp(code, kRdtsc, sizeof kRdtsc) == 0 ||
         std::memcmp(code, kRdtscp, sizeof kRdtscp) == 0;
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (info->si_code == SI_KERNEL && reads_time_stamp(static_cast<uint64_t>(registers[REG_RIP]))) {
    allow_time_stamps();
    return;
  }
  // A fault of ours: whoever was there before sees it when the instruction is done again.
  sigaction(signal, &before_ours, nullptr);
}

bool install_handler() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGSEGV, &action, &before_ours) == 0;
}

}  // namespace

FaultingTimeStamps::FaultingTimeStamps() {
  static const bool is_safe = install_handler();
  if (is_safe) prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
}

FaultingTimeStamps::~FaultingTimeStamps() { allow_time_stamps(); }

bool allow_time_stamps() { return prctl(PR_SET_TSC, PR_TSC_ENABLE) == 0; }

}  // namespace mazurka
