// SIGINT, SIGTERM and a closed terminal end a search gently; a second signal ends the command.
#pragma once

#include <csignal>

namespace mazurka {

// Installs the handlers. The flag is set when a signal has come.
const volatile std::sig_atomic_t& watch_interrupts();

}  // namespace mazurka
