// The path of a search with sleep sets from the initial state to where it stands: what VeriSoft's
// algorithm 2 (POPL'97, figure 3) keeps on its stack. `sleep`, `persistent` and `dpor` differ only
// in which threads they select at each state.
//
// Where we differ: a whole execution comes at once. The program itself lets transitions sleep after
// the plan's prefix (schedule/free_run.h), and this path follows by the same rule. Which transition
// is taken at a state is the program's choice; the plan only forces its thread.
#pragma once

#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "execution/execution.h"
#include "explore/engine/search.h"
#include "explore/trace/state_replay.h"

namespace mazurka {

// A transition that was taken, as far as others depend on it.
struct PathStep {
  PlannedStep planned;
  std::vector<Access> accesses;
  bool accesses_everything = false;
};

bool dependent(const PathStep& a, const PathStep& b);
// Whether it is dependent with every transition.
bool depends_on_all(const PathStep& step);

// A global state on the path.
struct PathState {
  std::vector<Choice> enabled;
  std::vector<ThreadId> selected;  // threads whose transitions are to be explored
  // Asleep when the state was reached, and then those that have been explored.
  std::vector<std::shared_ptr<const PathStep>> sleep;
  size_t asleep_at_first = 0;
  size_t ways = 0;     // selected transitions that were awake then, as they were counted last
  size_t threads = 0;  // of so many threads
  std::shared_ptr<const PathStep> taken;  // how the path goes on; null where it ends

  bool sleeps(Choice choice) const;
  bool is_enabled(ThreadId thread) const;
  // Whether the thread has a transition that was not asleep when the state was reached.
  bool was_awake(ThreadId thread) const;
  // How many such transitions it has.
  size_t awake_at_first(ThreadId thread) const;
  bool is_selected(ThreadId thread) const;
  void select(ThreadId thread);
  void select_all();
  void count_ways();
  // So much of the work below the state is expected below a transition that is being or was
  // explored. A thread that is explored after others finds them asleep and has less to do: half as
  // much as the one before it. For all ways it adds up to 1.
  double expected_share(Choice choice) const;
};

class SleepPath {
 public:
  // With options.conditional, operations that commute in the state where they meet do not wake each
  // other. `root`: the path begins with these steps. What else was enabled on the way there is not
  // known, so nothing else is ever explored there.
  explicit SleepPath(const SearchOptions& options, std::vector<PlannedStep> root = {});

  const Plan& plan() const { return plan_; }
  // How many of the next execution's transitions are old.
  size_t known() const { return states_.empty() ? 0 : states_.size() - 1; }

  // Follows an execution of the plan to its end. Gives the place of the first state that is new:
  // the search must select threads there and in all after it. An error: the program was not in the
  // same state after the same steps.
  Result<size_t> extend(const Execution& execution);

  // Goes back to the deepest state with a selected transition that is awake, and plans it. False if
  // there is none.
  bool backtrack();

  // Gives away all that is left to explore from the first state where something is, but for what is
  // below it. `out` is a new path then, as after backtrack. False if there is nothing. Requires
  // that nothing is ever selected there again.
  bool split(SleepPath& out);

  // Of the tree of all paths, weighed by branching (Knuth 1975). After the search has selected:
  // counts the ways on from the states from `first` on.
  void count_ways(size_t first);
  // What the last execution has finished of the tree. Between `count_ways` and `backtrack`, if no
  // state got more ways since.
  double finished_share() const;
  // What is finished of the tree as far as it is known, where each branching shares its part
  // equally. After `backtrack`; counts the ways again.
  double known_share_done();

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

  // The path ends at this state: nothing is explored from it.
  void cut(size_t place);

  std::vector<PathState>& states() { return states_; }

 private:
  Result<void> take_planned(const Execution& execution);
  void push(const Execution& execution, size_t position);
  void pass_sleep_on(const PathState& from, PathState& to);
  bool wakes(const PathStep& sleeping, const PathStep& taken) const;
  const Choice* next_in(const PathState& state) const;
  void plan_next(const PathState& state, Choice choice);
  void plan_sleep(const PathStep& step);

  Plan plan_;
  Choice next_;  // what the execution should do after the prefix
  std::vector<PathState> states_;
  StateReplay replay_;  // with `conditional`: before the last step that was taken
};

}  // namespace mazurka
