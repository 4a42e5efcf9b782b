// What every search does around its executions: run, count, collect findings, stop in time, and say
// in the end what the verdict is worth. A search is then only the choice of the next plan.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>

#include "explore/finding_collection.h"
#include "explore/search.h"

namespace mazurka {

class Session {
 public:
  // Both must outlive the session.
  Session(Program& program, const SearchOptions& options);

  // False if the search must stop before it is through: first finding, interrupt, a limit, trouble.
  bool may_go_on();

  // Runs the plan. `known` transitions of the execution are edges that the search had counted
  // before. After trouble (see may_go_on) `out` means nothing.
  void run(const Plan& plan, size_t known, Execution& out);

  // What has been counted was for nothing, but for the steps: another round begins.
  void start_again();

  // The search cannot go on, and this is why.
  void fail(Error why) { trouble_ = std::move(why); }

  bool has_failed() const { return trouble_.has_value(); }
  // The search goes on, but some behaviour is not followed, and this sentence says why.
  void leave_out(const std::string& why) { cut_.insert(why); }

  // `exhausted`: the search has no plan left.
  Verdict finish(bool exhausted);

 private:
  void count(const Execution& execution, size_t known);
  void note_end(const Execution& execution);
  void show_progress(const Execution& execution);
  double seconds() const;

  Program& program_;
  const SearchOptions& options_;
  FindingCollection findings_;
  Counts counts_;
  std::chrono::steady_clock::time_point start_;
  double next_progress_s_ = 0;
  std::set<std::string> bounds_reached_;  // sentences
  std::set<std::string> cut_;             // sentences: behaviour that was not followed
  std::string stopped_;                   // why may_go_on said no
  std::optional<Error> trouble_;
};

}  // namespace mazurka
