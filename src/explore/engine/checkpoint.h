// A search that was saved, and can go on later, in another process of the tool: what it is of, the
// names of threads and objects that its numbers stand for, what it has counted and found, and what
// is left to do.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace mazurka {

struct Checkpoint {
  std::string
      identity;  // lines: the search, its limits, the program. Both searches must have the same.
  std::string names;   // as Program::save_names gave them
  std::string search;  // the rest, as bytes
};

// To another file first, which then takes the place of the old one: whenever the process is killed,
// one of them is whole.
Result<void> write_checkpoint(const Checkpoint& checkpoint, const std::string& path);
// An error: it cannot be read, or is no checkpoint, or is damaged.
Result<Checkpoint> read_checkpoint(const std::string& path);
// The first line in which they differ, as a sentence; empty if they are the same.
std::string difference(const std::string& saved, const std::string& present);

// Where and when to save.
struct CheckpointOptions {
  std::string file;        // empty: never
  double interval_s = 10;  // 0: after every round
  std::string identity;
  std::string resume;  // Checkpoint::search of the one to go on with; empty: from the start
};

}  // namespace mazurka
