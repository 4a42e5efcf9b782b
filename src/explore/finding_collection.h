// Collects the findings of a search: each once, counted, confirmed by a replay, with its shortest
// schedule.
#pragma once

#include <map>
#include <vector>

#include "base/result.h"
#include "explore/findings.h"
#include "explore/tester_watch.h"
#include "program/program.h"

namespace mazurka {

class FindingCollection {
 public:
  // `program` knows the names, and must outlive the collection. `tester` may be null.
  FindingCollection(Program& program, const Limits& limits,
                    std::shared_ptr<const ProgramTester> tester = nullptr);

  // Takes in what the execution of the plan shows. Runs the program again for what is new. An error
  // means that the world failed.
  Result<void> add(Program& program, const Plan& plan, const Execution& execution);

  // False if the tester could not be asked everywhere.
  bool has_seen_all() const { return !watch_ || watch_->has_seen_all(); }

  size_t size() const { return findings_.size(); }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::vector<Sighting> all_sightings(const Execution& execution);
  Result<void> add(Program& program, const Plan& plan, const Execution& execution,
                   const Sighting& sighting);
  Result<Finding> confirm(Program& program, const Plan& plan, const Execution& execution,
                          const Sighting& sighting);
  void keep(Finding finding);

  Limits limits_;
  std::optional<TesterWatch> watch_;
  std::vector<Finding> findings_;
  std::map<Sighting, size_t> places_;  // in findings_
};

}  // namespace mazurka
