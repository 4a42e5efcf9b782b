// Signals inside the program: the model (kinds/signals/signals.h) decides when one is taken, and by
// whom; its handler is called here, by the thread that takes it, on its own stack. The kernel never
// delivers one, but for those of real crashes.
#pragma once

#include <signal.h>

#include "runtime/core/runtime.h"

namespace mazurka {

// The current thread has taken the signal: calls its handler, and blocks afterwards what was
// blocked before. Does not return if there is none: the process ends then; nor if the handler jumps
// out.
void run_handler(int signal, Call call);

// Whether this process has a handler for some signal: its sleeps can be interrupted then.
bool handles_signals();
inline uint64_t blocked_signals() { return world().thread(current_thread()).blocked; }
// SIGCHLD is ignored, or SA_NOCLDWAIT set: children are gone when they end, but not for the model.
bool waits_for_no_child();

// An operation if it changes something.
void block_signals(uint64_t set, Call call);

// ppoll and its like: whether `mask` blocks others than are blocked now; with descriptors that have
// no model, that has none.
bool is_other_mask(const sigset_t* mask);
void name_other_mask(const sigset_t* mask, Call call);

// The thread stands where signals may come that have no other operation to be taken at: before it
// ends, and once a timer is set. Only where the process has a handler.
void stand_where_signals_come(Call call);

// What the kernel would do with it now.
enum class Disposition : uint8_t { Default, Ignored, Handled };
Disposition disposition(int signal);

uint64_t bits_of(const sigset_t& set);
void set_bits(sigset_t& set, uint64_t bits);

// As in sigaction(2). An errno value.
int set_signal_action(int signal, const struct sigaction* action, struct sigaction* old, Call call);

// What is told about a signal that the current thread has taken.
siginfo_t info_of(const PendingSignal& taken);

// To a thread, or with the first one of a process to that. An errno value.
int send_signal(ThreadId target, int signal, uint8_t flags, sigval value, Call call);

}  // namespace mazurka
