// Calls that communicate and have no model yet. They go through, and the report names them. Sockets
// and their like are named where they are made; descriptor_calls.cc and poll_calls.cc see to it
// that using them does not block.
#include <execinfo.h>
#include <fcntl.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

#include "runtime/core/state.h"
#include "runtime/signals/signal_handler.h"
#include "runtime/syscalls/code_of_libc.h"

namespace mazurka {

namespace {

bool is_of_program(uint64_t pc) {
  uintptr_t start = 0;
  size_t length = 0;
  const bool is_ours = own_code(start, length) && pc - start < length;
  return !is_ours && !is_code_of_libc(pc);
}

// Where libc was called, or we were for a system call by its number. 0: that is not known.
uint64_t place_in_program(uint64_t pc) {
  if (pc == 0 || is_of_program(pc)) return pc;
  RuntimeHeap own;
  void* frames[64];
  const int count = backtrace(frames, 64);
  for (int i = 0; i < count; ++i) {
    const auto frame = reinterpret_cast<uint64_t>(frames[i]);
    if (is_of_program(frame)) return frame;
  }
  return 0;
}

}  // namespace

void name_unmodelled(const char* name, Call call, bool costs_complete) {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.unmodelled_count; ++i) {
    Unmodelled& known = s.unmodelled[i];
    if (strcmp(s.kept_text + known.text, name) != 0) continue;
    ++known.count;
    return;
  }
  if (s.unmodelled_count >= kMaxUnmodelled) return;
  const uint64_t pc = place_in_program(call.pc);
  s.unmodelled[s.unmodelled_count++] = {pc, keep_text(name), 1, costs_complete, {}};
}

}  // namespace mazurka

using namespace mazurka;

// NOLINTBEGIN(bugprone-macro-parentheses): types, names, and lists that have their own
#define MAZURKA_NAMING(result, name, parameters, arguments) \
  MAZURKA_EXPORT result name parameters {                   \
    if (attached()) name_unmodelled(#name, MAZURKA_HERE);   \
    return REAL(name) arguments;                            \
  }
// NOLINTEND(bugprone-macro-parentheses)

MAZURKA_NAMING(int, signalfd, (int fd, const sigset_t* mask, int flags), (fd, mask, flags))
MAZURKA_NAMING(int, inotify_init, (), ())
MAZURKA_NAMING(int, inotify_init1, (int flags), (flags))
MAZURKA_NAMING(int, fanotify_init, (unsigned flags, unsigned event_flags), (flags, event_flags))
MAZURKA_NAMING(ssize_t, process_vm_readv,
               (pid_t pid, const iovec* local, unsigned long local_count, const iovec* remote,
                unsigned long remote_count, unsigned long flags),
               (pid, local, local_count, remote, remote_count, flags))
MAZURKA_NAMING(ssize_t, process_vm_writev,
               (pid_t pid, const iovec* local, unsigned long local_count, const iovec* remote,
                unsigned long remote_count, unsigned long flags),
               (pid, local, local_count, remote, remote_count, flags))

// Declared with varying arguments, but there are always four.
MAZURKA_EXPORT long trace_process(long request, long pid, void* address,
                                  void* data) __asm__("ptrace");
long trace_process(long request, long pid, void* address, void* data) {
  if (attached()) name_unmodelled("ptrace", MAZURKA_HERE);
  return reinterpret_cast<decltype(&trace_process)>(real_function("ptrace"))(request, pid, address,
                                                                             data);
}
