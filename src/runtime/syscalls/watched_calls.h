// libc reads and writes by system calls of its own (printf, dprintf, fgets), which no interposer
// sees. A process that has pipes or sockets with a model lets the kernel tell us of them (Syscall
// User Dispatch).
#pragma once

#include "runtime/core/runtime.h"

// For the names of calls that change a file.
#define MAZURKA_LASTING(name) name " (a later execution could read what it changes)"

namespace mazurka {

// Whether libc's own calls of this process are seen: then changes of files that have a description
// are noticed where they are made.
bool calls_are_watched();
// Whether they are, or could be.
bool can_watch_calls();
// That needs private files, unless the file has no name: then it is gone with its last descriptor.
void note_change_of_file(int fd, Call call);

// A call that is no operation: done for real; named if nobody knows it to be harmless. The result
// is the kernel's.
enum class CallBy : uint8_t { Program, Libc };
long pass_call(long number, const long* arguments, CallBy by, Call call);

// To be called when the process gets a descriptor with a model, and where an execution begins. Does
// nothing if there is nothing to be seen, or it watches already.
void watch_calls();
// The same, where a process begins: after fork and after exec nothing is watched.
void watch_calls_again();

}  // namespace mazurka
