// Crashes of the program: a thread that dies stands before an operation that ends its process.
#pragma once

#include <signal.h>

#include <cstdint>

namespace mazurka {

// The signal ends the process: the thread that was interrupted goes on to stand before that.
void crash(int signal, void* context);
// From now on this signal does that.
void catch_crash(int signal);
// Whether a signal does that.
bool is_crash_handler(const struct sigaction& action);

// A fault that our own code makes while one of these is there is that of an instruction of the
// program's, which it does in its place.
class FaultsAt {
 public:
  explicit FaultsAt(uint64_t address);
  ~FaultsAt();
  FaultsAt(const FaultsAt&) = delete;
  FaultsAt& operator=(const FaultsAt&) = delete;
};

// Whether this byte can be read.
bool can_read(const void* address);

// Catches the signals that end a process. Called once, before the program's own code.
void catch_crashes();
// By a kernel thread that begins: handlers of the runtime run there, also when its own stack is
// used up.
void make_signal_stack();

}  // namespace mazurka
