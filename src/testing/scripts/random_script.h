// Random scripts for the differential tests of the searches: small enough to search without any
// reduction, and with every kind of object, outcome, creation and branch. The same seed makes the
// same script everywhere.
#pragma once

#include <cstdint>

#include "testing/scripts/script.h"

namespace mazurka {

// What a script may contain. Of the kinds of objects (the first ten), each script takes up to
// three.
inline constexpr uint32_t kMutexes = 1;
inline constexpr uint32_t kConditions = 2;  // and the mutexes that they need
inline constexpr uint32_t kRwLocks = 4;
inline constexpr uint32_t kBarriers = 8;
inline constexpr uint32_t kSemaphores = 16;
inline constexpr uint32_t kSemSets = 32;
inline constexpr uint32_t kNames = 64;
inline constexpr uint32_t kOnces = 128;
inline constexpr uint32_t kFutexes = 256;
inline constexpr uint32_t kVariables = 512;
inline constexpr uint32_t kTosses = 1 << 10;
inline constexpr uint32_t kTries = 1 << 11;      // try and timed forms, branches on their results
inline constexpr uint32_t kJoins = 1 << 12;      // and waits for children
inline constexpr uint32_t kEnds = 1 << 13;       // exit, crash, assertion, pthread_exit
inline constexpr uint32_t kMisuses = 1 << 14;    // unlocks by the wrong thread, destroyed objects
inline constexpr uint32_t kProcesses = 1 << 15;  // fork beside threads
inline constexpr uint32_t kRobust = 1 << 16;     // robust mutexes and SEM_UNDO
inline constexpr uint32_t kWaitsForOthers = 1 << 17;  // dependent with everything: not by default
inline constexpr uint32_t kEvents = 1 << 18;          // not by default, either
inline constexpr uint32_t kChannels = 1 << 19;   // pipes; not by default: seeds keep their scripts
inline constexpr uint32_t kQueues = 1 << 20;     // message queues; the same
inline constexpr uint32_t kTimers = 1 << 21;     // and a pipe beside them; the same
inline constexpr uint32_t kSockets = 1 << 22;    // that find each other by name; the same
inline constexpr uint32_t kSignals = 1 << 23;    // the same
inline constexpr uint32_t kFileLocks = 1 << 24;  // random_file_locks.h; the same
inline constexpr uint32_t kFileUses = 1 << 25;   // random_file_uses.h; the same
inline constexpr uint32_t kRarities = 1 << 26;   // random_rarities.h; the same
inline constexpr uint32_t kPauses = 1 << 28;     // the same
inline constexpr uint32_t kDefaultFeatures = (1u << 17) - 1;

struct RandomScriptOptions {
  uint32_t features = kDefaultFeatures;
  uint32_t min_threads = 2;  // processes are counted as their threads
  uint32_t max_threads = 4;
  uint32_t max_operations = 8;  // of all threads together, about; a wait counts as one
};

Script random_script(uint64_t seed, const RandomScriptOptions& options = {});

}  // namespace mazurka
