// What every search does around its executions: run, count, collect findings, stop in time, and say
// in the end what the verdict is worth. A search is then only the choice of the next plan. One
// session for all workers of a search: any of them may call any of this, but for start_again and
// finish.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <set>

#include "base/clock.h"
#include "explore/engine/search.h"
#include "explore/findings/finding_collection.h"

namespace mazurka {

class Session {
 public:
  // Both must outlive the session.
  Session(Program& program, const SearchOptions& options);

  // False if the search must stop before it is through: first finding, interrupt, a limit, trouble.
  bool may_go_on();

  // Takes in an execution of the plan that `program` has run. `known` of its transitions are edges
  // that the search had counted before. `beside`: it is a sample beside the search, and adds to
  // none of its counts. False if there was trouble, or the search is to start anew.
  bool add(Program& program, const Plan& plan, size_t known, Execution& execution,
           bool beside = false);

  // An execution that was added is not taken in after all, because the search had to stop amid its
  // analysis. What was found in it stays.
  void take_back(const Execution& execution, size_t known);

  // For what takes long: asked often, it says when to break off. Null: never.
  const Stop* stop() const { return options_.stop.get(); }

  // If it is time: five times a second at most, but it takes a look at the clock. `depth` is that
  // of the last execution.
  void show_progress(size_t depth);

  // How many of `wanted` executions may be run before a limit is reached. Those that are not run
  // must be given back.
  size_t admit(size_t wanted);
  void give_back(size_t count);
  uint64_t executions();
  uint64_t all_executions();  // with those beside the search
  // Before --max-executions.
  uint64_t executions_left();

  // So much of the search is done, of 1 in all. For searches that can tell.
  void note_done(double share) { done_.fetch_add(share, std::memory_order_relaxed); }
  // So much is done of what is known. For searches whose tree grows while they explore it.
  void set_done(double share) { done_ = share; }
  void done_is_of(DoneOf what) { done_of_ = what; }
  double done() const { return done_; }
  // What is known of the size of the search, for people.
  void know_size(const TreeSize& size);
  // It will be known: until then nothing is said of what is done.
  void expect_size() { expects_size_ = options_.wants_size; }

  // All of the work that was known is done, and more begins. Counts go on.
  void begin_round();

  // What has been counted was for nothing, but for the steps: another round begins.
  void start_again();

  // The search cannot go on, and this is why.
  void fail(Error why);
  bool has_failed();
  // The search goes on, but some behaviour is not followed, and this is why.
  void leave_out(const Remark<WhyIncomplete>& why);
  bool has_left_out();
  // A bound of the search's own was reached.
  void note_bound(const Remark<WhyIncomplete>& why);
  // What is left of the search could not be saved for later, and this is why.
  void lose(Error why);
  // Something that the user should know of how it was run.
  void note(const Remark<Note>& remark);

  // All of it that a search needs to go on later. False if that cannot be saved, and why is noted.
  bool save(ByteWriter& out);
  void restore(ByteReader& in);

  // `exhausted`: the search has no plan left.
  Verdict finish(bool exhausted);

 private:
  // The program is known to need more since the search began: what it does now is not what the
  // search is based on.
  bool is_overtaken() const { return program_.needs() != needs_ || program_.learned() != learned_; }
  // Notes why, if so. Requires the mutex.
  bool must_stop();
  void count(const Execution& execution, size_t known);
  void note_end(const Execution& execution);
  double seconds() const;

  std::mutex mutex_;
  Program& program_;
  const SearchOptions& options_;
  const Needs needs_;       // when the search began
  const uint64_t learned_;  // so is this
  FindingCollection findings_;
  Counts counts_;
  uint64_t admitted_ = 0;  // executions that are not counted yet
  Clock::time_point start_;
  double next_progress_s_ = 0;
  std::atomic<double> done_ = 0;
  DoneOf done_of_ = DoneOf::All;
  std::optional<TreeSize> size_;
  bool expects_size_ = false;
  uint32_t round_ = 0;
  bool was_cut_at_depth_ = false;
  std::set<Remark<WhyIncomplete>> bounds_reached_;
  std::set<Remark<WhyIncomplete>> cut_;  // behaviour that was not followed
  std::set<Remark<Note>> notes_;
  std::optional<Remark<WhyIncomplete>> stopped_;  // why may_go_on said no
  std::optional<Error> trouble_;
  std::optional<Error> lost_;
};

}  // namespace mazurka
