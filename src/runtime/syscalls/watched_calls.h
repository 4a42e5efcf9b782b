// System calls that no interposer sees: libc's own (printf, fgets, what it starts by itself), and
// instructions in the program and its libraries. The kernel tells us of each (Syscall User
// Dispatch), from where an execution begins.
#pragma once

#include <signal.h>

#include "runtime/core/runtime.h"

// For the names of calls that change a file.
#define MAZURKA_LASTING(name) name " (a later execution could read what it changes)"

namespace mazurka {

// The handler, and what switches it on for this kernel thread: while the byte is 1.
void on_system_call(int signal, siginfo_t* info, void* context);
bool dispatch_calls(volatile char* chosen_by);

// Whether libc's own calls of this process are seen: then changes of files that have a description
// are noticed where they are made.
bool calls_are_watched();
// That needs private files, unless the file has no name: then it is gone with its last descriptor.
void note_change_of_file(int fd, Call call);

// A call that is no operation: done for real; named if nobody knows it to be harmless. The result
// is the kernel's.
enum class CallBy : uint8_t { Program, Libc };
long pass_call(long number, const long* arguments, CallBy by, Call call);

// To be called where an execution begins. Does nothing if it watches already.
void watch_calls();
// By a kernel thread that begins: each is watched on its own.
void watch_calls_of_new_thread();
// The same, where a process begins: after fork and after exec nothing is watched.
void watch_calls_again();

}  // namespace mazurka
