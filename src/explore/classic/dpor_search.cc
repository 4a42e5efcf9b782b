#include "explore/classic/dpor_search.h"

#include <algorithm>
#include <map>

#include "explore/classic/co_enabled.h"
#include "explore/classic/enabled_without.h"
#include "explore/classic/sleep_path.h"
#include "explore/engine/crew.h"
#include "explore/trace/happens_before.h"
#include "explore/trace/operation_kinds.h"

namespace mazurka {
namespace {

class Backtracking {
 public:
  Backtracking(SleepPath& path, uint32_t bound) : path_(path), bound_(bound) {}

  // Adds to the backtrack sets what the execution's new transitions call for: lines 3 to 9, for
  // each state after the first `known` transitions. False if it was broken off.
  bool add(const Execution& execution, size_t known, const Stop* stop) {
    watch_ = StopWatch(stop);
    order_.read(execution);
    uses_signals_ = uses_signals(execution);
    replay_.begin(execution);
    other_outcomes_.clear();
    const std::vector<PathState>& states = path_.states();
    size_t length = states.size();
    if (length > 0 && states.back().taken == nullptr) --length;
    while (replay_.position() < length) {
      const auto step = static_cast<uint32_t>(replay_.position());
      note_other_outcomes(step);
      concerned_.clear();
      if (step >= known) {
        find_concerned(step);
        if (has_surprised(step)) find_races(step, order_.transition(step).choice.thread);
      }
      replay_.step();
      for (const ThreadId thread : concerned_) find_races(step + 1, thread);
      if (watch_.is_overdue()) return false;
    }
    return true;
  }

 private:
  // A wait for any child could have taken another one, had that ended in time: whoever ends it
  // races with the wait, whichever it took. All other operations access the same with each outcome,
  // or more than any step that changes their outcomes.
  void note_other_outcomes(uint32_t step) {
    const Transition& transition = order_.transition(step);
    if (transition.op.kind != OpKind::WaitChild || !read_pending(transition.choice.thread)) return;
    other_outcomes_[step].assign(accesses_.items, accesses_.items + accesses_.count);
  }

  // Whether the step turned out to access more than was known when it was pending in executions
  // that did not come to it: its invisible code created threads, or began to wait for what moves
  // next.
  bool has_surprised(uint32_t step) {
    const Transition& transition = order_.transition(step);
    const auto is_surprise = [](const Access& access) {
      const bool life = access.resource.kind == Resource::Kind::Thread;
      const bool moves = access.resource == moves_resource();
      return (life || moves) && access.mode == Mode::Write;
    };
    return std::any_of(transition.accesses.begin(), transition.accesses.end(), is_surprise);
  }

  // Whose next operation, or what that may do, is another one after the step than before: the
  // mover, those that it created, and those who stand before an operation that depends on the step.
  void find_concerned(uint32_t step) {
    const Transition& transition = order_.transition(step);
    concerned_.push_back(transition.choice.thread);
    for (const ThreadCreation& made : transition.after.creations)
      concerned_.push_back(made.created);
    for (uint32_t i = 0; i < replay_.thread_limit(); ++i) {
      if (ThreadId(i) == transition.choice.thread || !read_pending(ThreadId(i))) continue;
      if (conflicts(step)) concerned_.push_back(ThreadId(i));
    }
  }

  bool read_pending(ThreadId id) {
    pending_ = replay_.pending(id);
    const bool stands_still = bound_ != 0 && replay_.world().thread(id).transitions >= bound_;
    if (pending_ == nullptr || stands_still) return false;
    accesses_.count = 0;
    accesses_.overflow = false;
    possible_accesses(replay_.world(), id, *pending_, accesses_);
    // With what only its invisible code shows: threads that it creates, a wait that it begins.
    if (const Transition* next = replay_.next(id)) {
      for (const Access& access : next->accesses) accesses_.add(access.resource, access.mode);
    }
    return true;
  }

  bool conflicts(uint32_t step) const {
    if (accesses_.overflow || order_.conflicts(step, accesses_.items, accesses_.count)) return true;
    const auto other = other_outcomes_.find(step);
    if (other == other_outcomes_.end()) return false;
    return conflict(other->second.data(), static_cast<uint32_t>(other->second.size()),
                    accesses_.items, accesses_.count);
  }

  // POPL'05 takes the last one only: enough where what an operation does never depends on steps
  // that do not happen before it. Here a step may turn it into another (a lock into a misuse, when
  // the mutex is destroyed), so each race counts that no later one is between.
  void find_races(uint32_t end, ThreadId thread) {
    if (!read_pending(thread)) return;
    races_.clear();
    for (uint32_t i = end; i-- > 0;) {
      const Transition& transition = order_.transition(i);
      if (transition.choice.thread == thread || !conflicts(i)) continue;
      if (watch_.is_overdue()) return;
      if (is_before(i, thread, end) || !may_be_reversed(transition, thread, i, end)) continue;
      if (is_before_a_race(i)) continue;
      races_.push_back(i);
      backtrack(i, end, thread);
    }
  }

  bool may_be_reversed(const Transition& transition, ThreadId thread, uint32_t i,
                       uint32_t end) const {
    if (uses_signals_) return true;
    return may_be_co_enabled(transition, thread, *pending_) &&
           may_be_enabled_without(order_, i, end, replay_.world(), *pending_);
  }

  bool is_before_a_race(uint32_t i) const {
    return std::any_of(races_.begin(), races_.end(),
                       [&](uint32_t later) { return order_.is_before(i, later); });
  }

  // Whether step i happens before what the thread does after the first `end` steps.
  bool is_before(uint32_t i, ThreadId thread, uint32_t end) const {
    const uint32_t slot = order_.slot_of(thread);
    uint32_t last = order_.creator(slot);
    for (uint32_t n = order_.length(slot); n-- > 0;) {
      if (order_.event(slot, n) >= end) continue;
      last = order_.event(slot, n);
      break;
    }
    return last != HappensBefore::kNone && last < end && order_.is_before(i, last);
  }

  // Lines 5 to 7: `thread` should move before step i, which came first here. An invisible step is a
  // part of the transition before it: nobody moves in between.
  void backtrack(uint32_t i, uint32_t end, ThreadId thread) {
    while (i > 0 && order_.transition(i).is_hurried) --i;
    PathState& state = path_.states()[i];
    std::vector<ThreadId> candidates;
    if (state.was_awake(thread)) candidates.push_back(thread);
    for (uint32_t j = i + 1; j < end; ++j) {
      const ThreadId other = order_.transition(j).choice.thread;
      if (is_before(j, thread, end) && state.was_awake(other)) candidates.push_back(other);
    }
    for (const ThreadId candidate : candidates) {
      if (state.is_selected(candidate)) return;
    }
    if (!candidates.empty()) return state.select(candidates.front());
    for (const Choice& choice : state.enabled) {
      if (state.was_awake(choice.thread)) state.select(choice.thread);
    }
  }

  SleepPath& path_;
  uint32_t bound_;
  HappensBefore order_;
  StateReplay replay_;
  std::vector<ThreadId> concerned_;
  std::vector<uint32_t> races_;
  std::map<uint32_t, std::vector<Access>>
      other_outcomes_;  // what steps might have accessed instead
  bool uses_signals_ = false;
  StopWatch watch_;
  const Operation* pending_ = nullptr;  // of the thread in question, and what it may access
  Access items_[kMaxStepAccesses];
  AccessList accesses_{items_, kMaxStepAccesses};
};

// It selects in states that it has left behind, so it cannot be split.
class DporPart : public Part {
 public:
  explicit DporPart(const SearchOptions& options)
      : path_(options, options.root), backtracking_(path_, options.limits.bound) {}

  void plan(size_t, Round& round) override {
    if (!is_over_) round.add(path_.known()) = path_.plan();
  }

  bool take(const Round& round, size_t i, const Execution& execution, Session& session) override {
    const Result<size_t> first_new = path_.extend(execution);
    if (!first_new) {
      session.fail(first_new.error());
      return true;
    }
    std::vector<PathState>& states = path_.states();
    for (size_t n = *first_new; n < states.size(); ++n) {
      if (states[n].taken != nullptr) states[n].select(states[n].taken->planned.choice.thread);
    }
    if (!backtracking_.add(execution, round.known(i), session.stop())) return false;
    is_over_ = !path_.backtrack();
    session.set_done(path_.known_share_done());
    return true;
  }

  void save(ByteWriter& out) const override {
    path_.save(out);
    out.put(is_over_);
  }
  void restore(ByteReader& in) {
    path_.restore(in);
    is_over_ = in.get<bool>();
  }

  std::unique_ptr<Part> split() override { return nullptr; }

 private:
  SleepPath path_;
  Backtracking backtracking_;
  bool is_over_ = false;
};

}  // namespace

Verdict dpor_search(Program& program, const SearchOptions& options) {
  return search_alone<DporPart>(program, options,
                                [&] { return std::make_unique<DporPart>(options); });
}

}  // namespace mazurka
