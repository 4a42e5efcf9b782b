// Collects the findings of a search: each once, counted, confirmed by a replay, with its shortest
// schedule.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "execution/program.h"
#include "explore/findings/findings.h"
#include "explore/findings/sighting_reader.h"
#include "explore/findings/strict_discipline.h"

namespace mazurka {

// Replays the schedule, with call stacks, and looks for the sighting. Nothing if it does not show.
// An error means that the world failed.
Result<std::optional<Finding>> confirmed(Program& program, const Limits& limits,
                                         std::vector<PlannedStep> schedule,
                                         const Sighting& sighting, SightingReader& reader);

class FindingCollection {
 public:
  // `program` knows the names, and must outlive the collection. `tester` may be null.
  // `is_suppressed` and `race_key` (SearchOptions::race_key) may be empty.
  FindingCollection(Program& program, const Limits& limits,
                    std::shared_ptr<const ProgramTester> tester = nullptr,
                    std::function<bool(const Finding&)> is_suppressed = {},
                    std::function<std::string(const Finding&)> race_key = {});

  // Takes in what the execution of the plan shows. Runs the program again for what is new. An error
  // means that the world failed. `beside`: it is a sample beside the search, which does not count
  // where the search comes to the same (Finding::count).
  Result<void> add(Program& program, const Plan& plan, const Execution& execution,
                   bool beside = false);

  // False if the tester could not be asked everywhere.
  bool has_seen_all() const { return reader_.has_seen_all(); }
  std::vector<std::string> events_never_made() const { return reader_.events_never_made(); }

  // Schedules are saved, and replayed in the end: false if one of them may not show again what it
  // did.
  bool save(ByteWriter& out) const;
  Result<void> restore(Program& program, ByteReader& in);

  // After the last execution: findings that take several executions are made of what is known then.
  // An error means that the world failed.
  Result<void> settle(Program& program);

  size_t size() const { return findings_.size() + unprotected_.size(); }
  // How many were not replayed, because the search had to stop.
  size_t not_replayed() const { return not_replayed_; }
  size_t suppressed() const { return suppressed_.size(); }
  std::vector<Finding> take();

 private:
  Result<void> add(Program& program, const Plan& plan, const Execution& execution,
                   const Sighting& sighting);
  Result<Finding> confirm(Program& program, const Plan& plan, const Execution& execution,
                          const Sighting& sighting);
  Result<void> add_guarded(Program& program, const Execution& execution);
  Result<Finding> confirm(Program& program, const GuardProof& proof);
  bool suppress(const Finding& finding);
  void keep(Finding finding);
  // The place of the finding that it is, or is to be.
  size_t place_of(const Finding& finding);
  void note_again(size_t place, const Sighting& sighting);

  Limits limits_;
  SightingReader reader_;
  std::vector<Finding> findings_;
  std::map<Sighting, size_t> places_;  // in findings_
  std::function<std::string(const Finding&)> race_key_;
  std::map<std::string, size_t> races_;  // in findings_, by their keys
  std::set<size_t> seen_now_;            // places that the present execution has shown
  bool beside_now_ = false;              // it is a sample beside the search
  std::function<bool(const Finding&)> is_suppressed_;
  std::set<Sighting> suppressed_;
  size_t not_replayed_ = 0;
  StrictDiscipline strict_;
  std::set<StrictDiscipline::Key>
      unprotected_;  // words with a finding that is not suppressed; until they are settled
};

}  // namespace mazurka
