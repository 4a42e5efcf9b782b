// Collects the findings of a search: each once, counted, confirmed by a replay, with its shortest
// schedule.
#pragma once

#include <map>
#include <vector>

#include "base/result.h"
#include "explore/findings.h"
#include "program/program.h"

namespace mazurka {

class FindingCollection {
 public:
  explicit FindingCollection(const Limits& limits) : limits_(limits) {}

  // Takes in what the execution of the plan shows. Runs the program again for what is new. An error
  // means that the world failed.
  Result<void> add(Program& program, const Plan& plan, const Execution& execution);

  size_t size() const { return findings_.size(); }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  Result<void> add(Program& program, const Plan& plan, const Execution& execution, const Sighting& sighting);
  Result<Finding> confirm(Program& program, const Plan& plan, const Execution& execution, const Sighting& sighting);
  void keep(Finding finding);

  Limits limits_;
  std::vector<Finding> findings_;
  std::map<Sighting, size_t> places_;  // in findings_
};

}  // namespace mazurka
