// Findings about memory: two accesses to the same bytes, in words.
#pragma once

#include <string>
#include <vector>

#include "explore/findings/findings.h"
#include "report/words/describer.h"

namespace mazurka {

// "T0.2 writes counter (4 bytes) while nothing orders it after T0.1's read". Requires that the
// finding is a memory conflict.
std::string conflict_text(const Finding& finding, const Describer& describer);

// "T0.1 and T0.2": some of the pairs of threads between which a race was seen.
std::vector<std::string> thread_pairs(const Finding& finding, const Describer& describer);

struct AccessLine {
  std::string thread;
  std::string access;    // "write of 4 bytes"
  std::string what;      // the same, with the locks that were held
  std::string place;     // "bank.cpp:12 in deposit"
  std::string location;  // "bank.cpp:12"
  std::vector<std::string> callers;
  std::vector<std::string> locks;
  bool is_elsewhere = false;  // in another execution
};

// Of the access that was seen last, then of the one before.
std::vector<AccessLine> access_lines(const MemoryConflict& conflict, const Describer& describer);

}  // namespace mazurka
