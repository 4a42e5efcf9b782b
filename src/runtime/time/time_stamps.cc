#include "runtime/time/time_stamps.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include <cstring>

#include "runtime/accesses/spin_trail.h"
#include "runtime/core/crash.h"
#include "runtime/core/raw.h"
#include "runtime/core/runtime.h"

namespace mazurka {
namespace {

constexpr uint8_t kRdtsc[] = {0x0f, 0x31};
constexpr uint8_t kRdtscp[] = {0x0f, 0x01, 0xf9};

bool is_at(uint64_t pc, const uint8_t* bytes, size_t count) {
  const auto* const code = reinterpret_cast<const uint8_t*>(pc);
  return can_read(code) && can_read(code + count - 1) && memcmp(code, bytes, count) == 0;
}

// The kernel's page of clocks is a library of a few pages.
bool is_in_vdso(uint64_t pc) {
  const uint64_t start = getauxval(AT_SYSINFO_EHDR);
  return start != 0 && pc - start < uint64_t{4} * 4096;
}

bool trap(int what) { return raw_syscall(SYS_prctl, PR_SET_TSC, what) == 0; }

}  // namespace

void trap_time_stamps() { trap(PR_TSC_SIGSEGV); }
void release_time_stamps() { trap(PR_TSC_ENABLE); }

bool serves_time_stamp(int signal, const siginfo_t* info, void* context) {
  if (signal != SIGSEGV || info == nullptr || info->si_code != SI_KERNEL) return false;
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto pc = static_cast<uint64_t>(registers[REG_RIP]);
  const bool with_processor = is_at(pc, kRdtscp, sizeof kRdtscp);
  if (!with_processor && !is_at(pc, kRdtsc, sizeof kRdtsc)) return false;
  if (is_in_vdso(pc)) name_unmodelled("a clock of the vDSO", {.pc = pc});
  const auto now = static_cast<uint64_t>(read_clock_ns());
  ++spin_activity;
  registers[REG_RAX] = static_cast<greg_t>(now & 0xffff'ffff);
  registers[REG_RDX] = static_cast<greg_t>(now >> 32);
  if (with_processor) registers[REG_RCX] = 0;  // the first processor, as getcpu says
  registers[REG_RIP] += static_cast<greg_t>(with_processor ? sizeof kRdtscp : sizeof kRdtsc);
  return true;
}

}  // namespace mazurka
