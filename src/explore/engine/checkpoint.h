// A search that was saved, and can go on later, in another process of the tool: what it is of, the
// names of threads and objects that its numbers stand for, what it has counted and found, and what
// is left to do.
//
// The file, for the same machine and the same version of Mazurka only. Numbers are as the processor
// has them (8 bytes each where nothing else is said); a text is its length and then its bytes, a
// list is its length and then its items (base/bytes.h).
//
//   21 bytes  "mazurka checkpoint 4\n"
//   8         hash_of all that follows
//   text      Checkpoint::identity
//   text      Checkpoint::names: what Program::save_names gave
//   text      Checkpoint::search; in it:
//
//     Counts    as in memory, 48 bytes
//     double    seconds that were searched
//     double    the share that is done
//     list      remarks: bounds that were reached (session.cc): 1 byte kind of WhyIncomplete,
//               number, list of texts
//     list      remarks: behaviour that was left out, the same
//     list      remarks: notes, the same with kinds of Note
//     list      findings (finding_collection.cc): 1 byte kind, list of standpoints as in memory,
//               1 byte whether a tester was violated, and if so 4 bytes kind of violation, text its
//               name, text its state; list of planned steps as in memory; number of executions
//     bytes     what the parts share, as the search has it: of `optimal` one byte, whether all is
//               dependent
//     list      parts, each as the search's Part::save has it: of `optimal` its tasks
//               (optimal_task.cc)
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
