// What a verdict says of itself beside its findings: why it is not complete, what it takes for
// granted, and how the program was run. Programs and searches say which and about what; the
// sentences are made in report/words/remark_text.h, and nowhere else.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mazurka {

// The order of the kinds is that in which reports give what a session has gathered (session.h).
enum class WhyIncomplete : uint8_t {
  // Behaviour was not followed:
  NotReplayed,         // a schedule was replayed and the program did something else
  ScheduleTooLong,     // it does not fit into a plan
  TesterNotAsked,      // an execution did not do what the models say, so not all states are known
  ModelsNotFollowed,   // the same, so it is not known what can be reordered
  CutInCall,           // that no model covers
  ProcessLost,         // it ended without a word
  SegmentOverwritten,  // by the program
  LimitReached,        // names[0]: a limit of ours at which executions were cut
  NoModel,             // names[0]: a call that may block or communicate
  LoopNotUnderstood,   // names[0]: what is_loop(UnmodelledCall) knows of it
  CodeNotSeen,         // names[0]: what is_unseen_code(UnmodelledCall) knows of it
  Trouble,             // names[0]: the message of the error that ended the search
  // The search was stopped:
  MaxExecutions,  // number: how many were allowed
  FirstFinding,
  Interrupted,
  StartsAnew,  // as a part of a search that begins again with what it has learned
  Timeout,
  // A bound was reached:
  Bound,                // number: transitions of a thread
  Livelock,             // an execution was cut there
  Depth,                // number: transitions of an execution, by a search without reduction
  DepthUnderReduction,  // number: the same; of the orders in which independent transitions can
                        // happen only one is run, and the cut may hide in it what another order
                        // shows before the cut
  Deepening,            // number: all schedules with at most so many preemptions were executed, and
                        // of those with more not all
  Preemptions,          // number: schedules with more were left out
  GrownBound,           // number: the last bound of a transition of a thread with which all was
                        // explored; larger ones were not, or not to their end
  // Something that the search was based on does not hold:
  NotStartedAnew,      // a limit came before the search could begin again
  DisciplineViolated,  // and transitions were composed
  ComposedBlindly,     // names[0]: modules whose accesses are not seen
  WronglyUnshared,     // memory that is annotated as unshared
  AnnotatedCallsTorn,  // calls that are annotated as one operation
};

enum class Assumption : uint8_t {
  BlindModules,  // names[0]: modules whose accesses were not seen, though others' were; number: 1
                 // if their atomics were not, either
  WeakOrders,    // the program asks for them, and they were not explored
  SuppressedRaces,   // number: how many
  MemoryNotSeen,     // no accesses were (--atomics=off)
  PlainCodeNotSeen,  // no accesses were but locked instructions
  Composed,          // transitions were
  CommutingCalls,    // names: functions that the annotations say it of
  UnseenCalls,       // names: functions of the C and C++ libraries whose accesses were not seen
  UnseenCode,        // names: places in instrumented files whose accesses are not told; number: how
                     // many more there are
};

enum class Note : uint8_t {
  ForkServer,            // names[0]: what a reset in place cannot undo
  OptionsOff,            // number: bits of UnaskedOption
  WorkerMissing,         // names[0]: the message of the error for which it could not begin
  CheckpointNotWritten,  // names[0]: the message of the error
  NotReplayed,           // number: findings that were not, because the search had to stop
  NothingSaved,          // since the program was not deterministic
  // All releases of locks were visible, because the program
  HasProcesses,
  WaitsForOthers,
  UsesSignals,
  // The releases of some locks were visible, because the program tries, times or destroys them.
  LocksLookedAt,       // number: how many
  EventsNeverMade,     // names: of events that the tester names
  SuppressionsUnused,  // names: the lines
  WaitsUnguarded,      // names: places of waits for conditions that no loop guards
};

// One of them, with what its sentence is about.
template <typename Kind>
struct Remark {
  Kind kind;
  uint64_t number;
  std::vector<std::string> names;

  // A kind alone is a remark.
  Remark(Kind its_kind, uint64_t its_number = 0, std::vector<std::string> its_names = {})
      : kind(its_kind), number(its_number), names(std::move(its_names)) {}

  friend auto operator<=>(const Remark&, const Remark&) = default;
};

template <typename Kind>
using Remarks = std::vector<Remark<Kind>>;

}  // namespace mazurka
