// What every search takes and gives back. The command reads the options from its flags; the reports
// print the verdict.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/program.h"
#include "explore/engine/checkpoint.h"
#include "explore/estimate/tree_size.h"
#include "explore/findings/findings.h"
#include "explore/findings/program_tester.h"
#include "explore/sampling/samples.h"

namespace mazurka {

struct Counts {
  uint64_t executions = 0;          // without blocked ones
  uint64_t blocked_executions = 0;  // ended because only sleeping threads were enabled
  uint64_t transitions = 0;         // edges of the search tree, each once
  uint64_t steps = 0;               // transitions with those of replayed prefixes
  uint32_t max_depth = 0;
  uint64_t sampled_executions = 0;  // beside the search (`auto`); in none of the others
};

// What Progress::done is a share of.
enum class DoneOf : uint8_t {
  All,    // the search
  Round,  // the present round; what is learned in it may call for another
  Known,  // what the search knows by now that it must explore; it may turn out to be more
};

struct Progress {
  Counts counts;
  uint32_t depth = 0;  // of the latest execution
  size_t findings = 0;
  double seconds = 0;
  // How much of the search is done, from 0 to 1, if all branches were alike: each part of a tree
  // counts by the branching on the way to it (Knuth 1975). Less than 0: this search does not know.
  double done = -1;
  DoneOf done_of = DoneOf::All;
  uint32_t round = 0;  // how often the search has started again
  // Of the whole search, by random passes (SearchOptions::wants_size): `done` is what has been
  // executed of that then.
  std::optional<TreeSize> size = std::nullopt;
};

// Stoller, SPIN'00.
enum class Transitions : uint8_t {
  Visible,   // each operation on a lock by itself
  First,     // the release of a lock belongs to its thread's transition before (section 4)
  Composed,  // and what such a transition depends on is what all of it reads and writes (section 5)
};

struct SearchOptions {
  std::string search = "none";
  Limits limits;
  // `dpor`: only what can follow these steps is explored.
  std::vector<PlannedStep> root;
  bool keep_going = false;  // find everything; otherwise stop at the first finding
  bool minimize = false;    // make the schedules of findings short (minimize.h)
  uint64_t seed = 1;        // of samples
  // Of `preemptions`: schedules with at most so many; with `deepen`, first with none, then with one
  // and so on, up to that (or without an end).
  std::optional<uint32_t> preemptions;
  bool deepen = false;
  uint32_t bug_depth = 3;  // of `pct`: how many orders of two steps a bug needs; at least 1
  size_t jobs = 1;         // workers; `dpor` and `wakeup` always have one
  uint64_t alone = 0;      // executions before the first worker gets help
  // What the program must not do, or null.
  std::shared_ptr<const ProgramTester> tester;
  bool conditional = false;  // sleep sets: what commutes in the state where it meets, does
  // What belongs to one transition (transition_rules.h).
  Transitions transitions = Transitions::Visible;
  bool is_annotated = false;                // the program's memory or code (Program::annotate)
  std::vector<std::string> commuting = {};  // functions whose calls are said to commute
  // Without a bound: if an execution is cut at the depth, bounds are tried that grow
  // (growing_bound.h). Not for checkpoints.
  bool grows_bound = false;
  // What `explore` itself sets: the first execution that is cut at the depth ends the search.
  bool stops_at_depth = false;
  uint64_t max_executions = 0;  // 0: no limit
  double timeout_s = 0;         // 0: no limit
  // What `explore` itself makes of the timeout and of `interrupted`: when what is under way is
  // broken off.
  std::shared_ptr<Stop> stop;
  CheckpointOptions checkpoints;
  // Set by a signal handler: the search ends after the current execution.
  const volatile std::sig_atomic_t* interrupted = nullptr;
  // Progress tells how large the search is, where that can be known. It costs some hundredths of
  // the time.
  bool wants_size = false;
  std::function<void(const Progress&)> progress;  // called about five times a second
  // Whether the user does not want to hear of this finding. May be empty.
  std::function<bool(const Finding&)> is_suppressed;
  // The same for races that people take for one: the variable and the lines of both accesses. May
  // be empty; then races are told apart by the addresses of these.
  std::function<std::string(const Finding&)> race_key;
  // Called with each execution of the search; not with those that confirm findings.
  std::function<void(const Execution&)> on_execution;

  // Called when the search starts anew: what it has called the others with until then means
  // nothing.
  std::function<void()> on_start_anew;

  // What `explore` itself sets: what belongs to one transition, as far as is known.
  std::shared_ptr<const TransitionRule> rule;
  // True: more has been learned, and the search should stop, because it will start anew.
  const std::atomic<bool>* is_stale = nullptr;
};

// How much of the program's behaviour the verdict speaks for.
enum class Guarantee : uint8_t {
  Complete,  // all of it
  Bounded,   // all of it within the bounds that were set (less where a reduction met --depth)
  Sampled,   // the executions that were run
};

// What one of two searches of a program came to and the other did not.
struct Difference {
  std::string reached_by;  // the name of the search
  std::string missed_by;
  std::optional<FindingKind> finding;  // none: it is about end states
  uint64_t count = 0;                  // steps of the finding's schedule; or end states
  std::vector<Choice> schedule = {};   // leads to one of the end states
};

// What another search of the same program came to (compare.h).
struct Compared {
  std::string search;
  Counts counts;
  double seconds = 0;
  uint64_t end_states = 0;  // that the first search reached
  bool is_whole = false;    // both were run to their ends; else nothing is compared
  std::vector<Difference> differences;
};

// What a search of schedules by preemptions has come to.
struct WithinPreemptions {
  std::optional<uint32_t> reached;  // all schedules with at most so many were executed
  uint64_t traces = 0;              // different ones of all executions
};

struct Verdict {
  std::string search;
  Transitions transitions = Transitions::Visible;
  Guarantee guarantee = Guarantee::Complete;
  Remarks<WhyIncomplete> why_incomplete;  // empty if complete
  Counts counts;
  double seconds = 0;
  double done = -1;    // as Progress::done, in the end
  uint32_t bound = 0;  // if it grew by itself: the last one. Otherwise 0
  std::vector<Finding> findings;
  Remarks<Assumption> assumptions;
  bool memory_is_seen = false;           // the program tells its memory accesses
  bool has_locked_instructions = false;  // else, and some of its atomics were operations
  std::vector<UnmodelledCall> unmodelled;
  Remarks<Note> notes;  // how the program was run
  std::optional<Samples> samples;
  std::optional<WithinPreemptions> within;
  std::optional<Compared> compared;
  std::optional<Error>
      trouble;  // the world or Mazurka failed: what is here is what was known by then

  bool complete() const { return guarantee == Guarantee::Complete; }
  bool ok() const { return findings.empty() && complete(); }
};

// The names of the searches that come to an end by themselves, and of the samplers, which do not.
// Without `preemptions`, which is chosen by its own options.
std::vector<std::string> search_names();
std::vector<std::string> sampler_names();
// Whether that search has sleep sets that SearchOptions::conditional can widen.
bool takes_conditional(const std::string& search);

// Whether that search can compose transitions: whether it never asks what a transition accesses
// before that was run.
bool takes_composed(const std::string& search);
// "visible", "first", "composed"
std::optional<Transitions> transitions_of(const std::string& name);
const char* name_of(Transitions transitions);

// Why these options do not go together; empty if they do.
std::string contradiction(const SearchOptions& options);

// Runs the search that the options name. An error means that there is none of that name, or a
// contradiction.
Result<Verdict> explore(Program& program, const SearchOptions& options);

}  // namespace mazurka
