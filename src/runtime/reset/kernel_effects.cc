#include "runtime/reset/kernel_effects.h"

#include "runtime/core/ends.h"
#include "runtime/core/state.h"
#include "runtime/reset/in_place.h"
#include "runtime/syscalls/call_table.h"

namespace mazurka {

bool leaves_no_trace(long number, long first_argument) {
  switch (number) {
    case SYS_write:
    case SYS_writev:
      return first_argument == 1 || first_argument == 2;  // nobody listens while we explore
    case SYS_read:
    case SYS_readv:
    case SYS_lseek:
      return first_argument == 0;  // rewound for each execution
    case SYS_poll:                 // the runtime's own looks
      return true;
    case SYS_tgkill:
      return first_argument == segment().control.server_pid;  // abort, raise
    default:
      return !row_of_call(number).leaves_trace;
  }
}

void need_fork(const char* what) {
  if (!runs_in_place()) return;
  segment().log.text = add_text(what);
  end_execution(Ending::NeedsFork);
}

void need_fork_for(long number, long first_argument) {
  if (!runs_in_place()) return;
  if (leaves_no_trace(number, first_argument)) {
    if (number == SYS_read || number == SYS_readv || number == SYS_lseek) note_input_read();
    return;
  }
  need_fork(name_of_call(number));
}

long program_syscall(long number, long a, long b, long c, long d, long e, long f) {
  need_fork_for(number, a);
  return raw_syscall(number, a, b, c, d, e, f);
}

}  // namespace mazurka
