// Scripts whose numbers of states, transitions and traces are known, from the literature or by
// hand: for tests and benchmarks of the searches.
#pragma once

#include <cstdint>

#include "program/script.h"

namespace mazurka {

// VeriSoft's example 1: each philosopher takes the left fork, the right fork, and puts them back,
// the left one first. All deadlock once. The first process is the last philosopher, nobody waits
// for anybody, and forks are System V semaphores.
Script process_philosophers(uint32_t count);
// The same with threads, mutexes and a main thread that joins them.
Script thread_philosophers(uint32_t count);
// The last philosopher takes the right fork first: no deadlock.
Script ordered_philosophers(uint32_t count);

// Threads that each lock and unlock one mutex so many times; main joins them.
Script lock_counter(uint32_t threads, uint32_t rounds);

}  // namespace mazurka
