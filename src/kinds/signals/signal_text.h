// The names of signals.
#pragma once

#include <cstdint>
#include <string>

namespace mazurka {

// "SIGUSR1"; of 0, which checks only whether somebody is there, "nothing".
std::string signal_name(int signal);

// The first few of a set (bit n-1 for signal n), or "none".
std::string signal_names(uint64_t set);

}  // namespace mazurka
