// Random scripts for the differential tests of the searches: small enough to search without any
// reduction, and with every kind of object, outcome, creation and branch. The same seed makes the
// same script everywhere.
#pragma once

#include <cstdint>

#include "program/script.h"

namespace mazurka {

// What a script may contain. Of the kinds of objects (the first nine), each script takes up to
// three.
enum ScriptFeature : uint32_t {
  kMutexes = 1,
  kConditions = 2,  // and the mutexes that they need
  kRwLocks = 4,
  kBarriers = 8,
  kSemaphores = 16,
  kSemSets = 32,
  kNames = 64,
  kOnces = 128,
  kFutexes = 256,
  kTosses = 512,
  kTries = 1 << 10,      // try and timed forms, branches on their results
  kJoins = 1 << 11,      // and waits for children
  kEnds = 1 << 12,       // exit, crash, assertion, pthread_exit
  kMisuses = 1 << 13,    // unlocks by the wrong thread, destroyed objects
  kProcesses = 1 << 14,  // fork beside threads
  kRobust = 1 << 15,     // robust mutexes, SEM_UNDO: what others notice at an end
  kYields = 1 << 16,     // dependent with everything that moves: not in kDefaultFeatures
};
inline constexpr uint32_t kDefaultFeatures = (1u << 16) - 1;

struct RandomScriptOptions {
  uint32_t features = kDefaultFeatures;
  uint32_t min_threads = 2;  // processes are counted as their threads
  uint32_t max_threads = 4;
  uint32_t max_operations = 8;  // of all threads together, about; a wait counts as one
};

Script random_script(uint64_t seed, const RandomScriptOptions& options = {});

}  // namespace mazurka
