// The workers of a search: each runs an instance of the program, and works on a part of the search
// by itself. Who has nothing left gets the oldest work of another.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "explore/engine/session.h"

namespace mazurka {

// Plans that are run at a time, and what came of them. Memory is reused.
class Round {
 public:
  void clear() { count_ = 0; }
  size_t size() const { return count_; }
  // A plan to be filled in: it still has the parts of an old one. `known` as in Session::add.
  Plan& add(size_t known);

  const Plan& plan(size_t i) const { return plans_[i]; }
  size_t known(size_t i) const { return known_[i]; }
  Execution& execution(size_t i) { return executions_[i]; }
  const Execution& execution(size_t i) const { return executions_[i]; }
  // Transitions of the longest execution that was run last.
  size_t longest() const { return longest_; }

  Result<void> run(Program& program);

 private:
  size_t count_ = 0;
  size_t longest_ = 0;
  std::vector<Plan> plans_;
  std::vector<size_t> known_;
  std::vector<Execution> executions_;
};

// A part of a search that one worker works on. What parts share (dependency found late, footprints)
// they must guard.
class Part {
 public:
  virtual ~Part() = default;
  // Adds up to `most` plans that can be run now; none if the part is through.
  virtual void plan(size_t most, Round& round) = 0;
  // What came of the round's i-th plan. In their order; the later ones have been run, but not been
  // added to the session.
  // False: it was broken off, because the session's stop was overdue.
  virtual bool take(const Round& round, size_t i, const Execution& execution, Session& session) = 0;
  // Whether what was broken off left no trace in the part: then its plan may be put back. Otherwise
  // the part is of no use any more.
  virtual bool can_take_again() const { return false; }
  // Between two rounds: what is left to do, so that the part can be made again. Only for searches
  // that can be saved.
  virtual void save(ByteWriter&) const {}
  // The round's plans from this one on are not run after all.
  virtual void put_back(size_t) {}
  // Whether its executions are beside those of the search, and do not count for it.
  virtual bool is_beside() const { return false; }
  // Gives about half of the work away, the oldest of it. Null if there is not enough.
  virtual std::unique_ptr<Part> split() = 0;
};

// The parts of a search that goes on, each made by `make` and then restored; one new part for a
// search that begins.
template <typename P, typename Make>
std::vector<std::unique_ptr<Part>> restored_parts(const SearchOptions& options, ByteReader& saved,
                                                  Session& session, const Make& make) {
  std::vector<std::unique_ptr<Part>> parts;
  const bool begins = options.checkpoints.resume.empty();
  const uint64_t count = begins ? 1 : saved.get_count(1);
  for (uint64_t i = 0; i < count && saved.ok(); ++i) {
    std::unique_ptr<P> part = make();
    if (!begins) part->restore(saved);
    parts.push_back(std::move(part));
  }
  if (!begins && (!saved.ok() || !saved.at_end())) {
    session.fail(Error{"the checkpoint is damaged"});
    parts.clear();
  }
  return parts;
}

class Crew {
 public:
  Crew(Program& program, Session& session, const SearchOptions& options);
  ~Crew();

  // What the parts share, for checkpoints. Without it nothing is saved.
  void save_shared_by(std::function<void(ByteWriter&)> save_shared) {
    save_shared_ = std::move(save_shared);
  }

  // Works until nothing is left, or the session says that it must not go on, or a part calls for an
  // end. Returns whether nothing is left.
  bool work(std::unique_ptr<Part> whole);
  bool work(std::vector<std::unique_ptr<Part>> parts);
  // The same, but only until the session has counted so many executions. Then what is left is in
  // `parts`, and nothing is saved.
  bool work(std::vector<std::unique_ptr<Part>>& parts, uint64_t until);
  // Without checkpoints: for what is not the search itself.
  bool work_unsaved(std::unique_ptr<Part> whole);
  // Called by a part: all work is dropped, and `work` returns.
  void drop_all() { dropped_ = true; }

 private:
  static constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

  void hire();
  void serve(size_t number);
  void work_on(Program& program, std::unique_ptr<Part> part, Round& round);
  // False if it was left before it was through.
  bool finish(Program& program, Part& part, Round& round);
  // Requires that there is a plan. False if the session must not go on.
  bool run(Program& program, Part& part, Round& round);
  void share(Part& part);
  // If it is time to save: waits until all others rest, too, and one of them has saved.
  void rest_and_save();
  Result<void> save(const std::vector<const Part*>& parts);
  bool keeps_left_parts() const {
    return (saves_ && !checkpoints_.file.empty()) || until_ != kNever;
  }
  // Null when there is nothing to do any more: for the first worker, until all others are through;
  // for the others, for good.
  std::unique_ptr<Part> await_part(bool is_first);

  Program& program_;
  Session& session_;
  size_t jobs_;  // for the first worker's eyes: fewer where no more can be had
  const uint64_t alone_;
  const CheckpointOptions& checkpoints_;
  std::function<void(ByteWriter&)> save_shared_;
  std::vector<std::thread> hands_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Part>> offered_;
  size_t busy_ = 0;                      // workers with a part
  size_t waiting_ = 0;                   // workers without
  bool left_ = false;                    // something was not worked on
  std::atomic<bool> is_spoilt_ = false;  // a part of it cannot be saved
  bool leaving_ = false;
  std::vector<const Part*> in_work_;
  std::vector<std::unique_ptr<Part>>
      left_parts_;  // that were not worked on to the end, for the last checkpoint
  std::atomic<bool> resting_ = false;  // a checkpoint is to be written
  size_t at_rest_ = 0;
  uint64_t rests_ = 0;  // checkpoints written
  Clock::time_point next_save_;
  std::atomic<size_t> wanted_ = 0;  // parts: nobody offers them yet
  std::atomic<bool> dropped_ = false;
  uint64_t until_ = kNever;  // executions
  bool saves_ = true;
  std::atomic<bool> stopped_ = false;  // a part was left because the session said so
};

// A search of one part that cannot be split, and whose tree grows while it is explored.
template <typename P, typename Make>
Verdict search_alone(Program& program, SearchOptions options, const Make& make) {
  options.jobs = 1;
  Session session(program, options);
  session.done_is_of(DoneOf::Known);
  Crew crew(program, session, options);
  crew.save_shared_by([](ByteWriter&) {});
  ByteReader saved(options.checkpoints.resume);
  if (!options.checkpoints.resume.empty()) session.restore(saved);
  const bool exhausted = crew.work(restored_parts<P>(options, saved, session, make));
  return session.finish(exhausted);
}

}  // namespace mazurka
