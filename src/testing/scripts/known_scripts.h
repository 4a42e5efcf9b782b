// Scripts whose numbers of states, transitions and traces are known, from the literature or by
// hand: for tests and benchmarks of the searches.
#pragma once

#include <cstdint>

#include "testing/scripts/script.h"

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

// The benchmarks of the literature on optimal reduction (POPL'05, POPL'14), all accesses visible;
// main joins the threads. One thread writes a variable that the others read: 2^readers traces.
Script readers(uint32_t readers);
// Thread i of 1..count sets element i of an array to one more than element i - 1, while another one
// looks for the last element that is zero: (count + 3) 2^(count - 2) traces.
Script last_zero(uint32_t count);
// Threads that each put four numbers into one hash table by compare-exchange: 8^(count - 11) traces
// for count >= 11.
Script indexer(uint32_t count);
// Threads that each look for a free block for their inode, both under locks: 2^(count - 13) traces
// for count >= 13.
Script file_system(uint32_t count);

}  // namespace mazurka
