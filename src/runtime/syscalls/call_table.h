// Every system call of x86-64, and what we know of it: call_rows.inc has a row for each number.
// What is not known to be harmless is named, so a number without a row (of a later kernel) is
// Unknown.
#pragma once

#include <cstdint>

namespace mazurka {

enum class Known : uint8_t {
  Unknown,    // goes through, and costs the word complete
  Modelled,   // an operation, or a part of one, as by the function of libc with that name
  Harmless,   // nobody can tell when it was made
  OfProcess,  // changes what the threads of a process share: harmless while there is one
  OfLibc,     // libc's own set-up of a thread: harmless where libc makes it
  ByCommand,  // its first argument decides (commands_of_calls.cc)
};

// Why a call is harmless.
enum class Why : uint8_t {
  None,
  Constant,   // reads what no thread of the program changes, or changes past us unnoticed
  Storage,    // moves data between memory and disk; readers see the same before and after
  OneRuns,    // orders memory accesses, or asks about them: one thread runs at a time anyway
  OwnMemory,  // memory of the process itself: who uses it at the same time races for it
  Priority,   // how fast a thread is, which a schedule does not depend on
};

struct CallRow {
  const char* name = nullptr;
  Known known = Known::Unknown;
  Why why = Why::None;
  bool leaves_trace = true;  // in the kernel, that a reset in place does not undo
};

// Of a number that has none: a row without a name.
const CallRow& row_of_call(long number);

// What the runtime must do about a call that is not an operation.
struct CallMaker {
  bool is_libc;         // libc or the dynamic linker makes it for reasons of its own
  bool is_only_thread;  // of its process
};
// Whether it is named.
bool is_unknown_call(long number, const long* arguments, CallMaker maker);

// "io_uring_setup", "system call 500". Valid until the next call.
const char* name_of_call(long number);

}  // namespace mazurka
