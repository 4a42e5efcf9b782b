#include "runtime/core/stop.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/core/raw.h"
#include "runtime/core/state.h"

// gdb breaks on these two, by name.
MAZURKA_EXPORT __attribute__((noinline)) void mazurka_step(uint32_t position) {
  __asm__ volatile("" ::"r"(position));
}
MAZURKA_EXPORT __attribute__((noinline)) void mazurka_finding_is_here() { __asm__ volatile(""); }

namespace mazurka {

void note_step(uint32_t position) {
  Segment& s = segment();
  if (s.control.direct) mazurka_step(position);
  if (!s.plan.show_output || s.control.output_text == 0) return;
  struct stat status;
  const char* path = s.kept_text + s.control.output_text;
  const long failed = raw_syscall(SYS_newfstatat, AT_FDCWD, address_of(path), address_of(&status));
  s.steps[s.log.step_begin + position].output_before =
      failed == 0 ? static_cast<uint64_t>(status.st_size) : 0;
}

void stop_here() {
  if (segment().control.direct) mazurka_finding_is_here();
}

}  // namespace mazurka
