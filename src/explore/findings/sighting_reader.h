// What is wrong in an execution, with deadlocks of some threads and what a tester says of it. The
// collection of findings, the minimiser and `mazurka replay` read with it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "explore/findings/findings.h"
#include "explore/findings/tester_watch.h"
#include "explore/findings/wait_cycles.h"

namespace mazurka {

class SightingReader {
 public:
  // `program` knows the names, and must outlive the reader. `tester` may be null. `bound`: as in
  // Limits.
  SightingReader(const Program& program, std::shared_ptr<const ProgramTester> tester,
                 uint32_t bound)
      : cycles_(bound) {
    if (tester != nullptr) watch_.emplace(std::move(tester), program, bound);
  }

  std::vector<Sighting> read(const Execution& execution) {
    std::vector<Sighting> all = sightings(execution);
    for (Sighting& sighting : cycles_.sightings(execution)) all.push_back(std::move(sighting));
    if (!watch_) return all;
    for (Sighting& sighting : watch_->sightings(execution)) all.push_back(std::move(sighting));
    return all;
  }

  // False if the tester could not be asked everywhere.
  bool has_seen_all() const { return !watch_ || watch_->has_seen_all(); }
  // Events that the tester names, and that no execution so far has made.
  std::vector<std::string> events_never_made() const {
    return watch_ ? watch_->events_never_made() : std::vector<std::string>();
  }

 private:
  WaitCycles cycles_;
  std::optional<TesterWatch> watch_;
};

}  // namespace mazurka
