// libc reads and writes by system calls of its own (printf, dprintf, fgets), which no interposer sees. A process that has
// pipes or sockets with a model lets the kernel tell us of them (Syscall User Dispatch).
#pragma once

namespace mazurka {

// To be called when the process gets a descriptor with a model. Does nothing if it has none, or watches already.
void watch_calls();
// The same, where a process begins: after fork and after exec nothing is watched.
void watch_calls_again();

// Where libc's own calls must be the kernel's: a thread that is cloned by a call that was caught would begin in the handler.
class CallsUnwatched {
 public:
  CallsUnwatched();
  ~CallsUnwatched();
  CallsUnwatched(const CallsUnwatched&) = delete;
  CallsUnwatched& operator=(const CallsUnwatched&) = delete;
};

}  // namespace mazurka
