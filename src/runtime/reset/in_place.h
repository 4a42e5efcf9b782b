// The other server: runs every execution in this very process, and then gives memory its old bytes
// back. For programs of one process that leave no traces in the kernel; a hundred times cheaper
// than a fork.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

// Whether the current execution is to be reset in place.
bool runs_in_place();

// As begin_executions does: returns once per execution, in the program's main thread. False, at
// once: it cannot be done here.
bool serve_in_place();

// The program's memory got a new mapping: it goes with an execution that is reset in place.
void note_program_mapping(uintptr_t start, size_t length);

// The program has read from its standard input: the next execution begins with that rewound.
void note_input_read();
// Whether that happened since the last call.
bool input_was_read();

// While it lives, libc may make system calls for us, too.
class SystemCallsAllowed {
 public:
  SystemCallsAllowed();
  ~SystemCallsAllowed();
  SystemCallsAllowed(const SystemCallsAllowed&) = delete;
  SystemCallsAllowed& operator=(const SystemCallsAllowed&) = delete;

 private:
  bool watched_;
};

// The first global state is passed by all executions, because nothing is chosen before it. So the
// server would rather begin there, once it is sure that it can: threads have been created by then,
// and the program's own preparations are done.
bool seeks_first_state();
// The execution stands there. Returns in this one, and from then on in every execution. Requires
// seeks_first_state().
void stand_in_first_state();

// The execution has ended: back to the server. Requires runs_in_place().
[[noreturn]] void return_to_server();

}  // namespace mazurka
