// Findings: what is wrong with the program under test, read off its executions. The searches
// collect them (finding_collection.h), the reports explain them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "execution/execution.h"
#include "lts/verify/violation.h"

namespace mazurka {

enum class FindingKind : uint8_t {
  Deadlock,
  Assertion,
  Crash,
  Exit,
  Misuse,
  Memory,
  Race,
  LockingDiscipline,
  Livelock,
  Divergence,
  Nondeterminism,
  Tester,
};

// "deadlock", "locking-discipline": as in JSON, schedule files and examples.
const char* name_of(FindingKind kind);
std::optional<FindingKind> finding_kind_of(const std::string& name);

// A thread that is blocked or failing, where, and on what.
struct Standpoint {
  ThreadId thread = kNoThread;
  uint64_t pc = 0;
  ObjectId object = kNoObject;

  friend auto operator<=>(const Standpoint&, const Standpoint&) = default;
};

// What a tester forbids, and the execution shows (tester_watch.h).
struct TesterSighting {
  lts::ViolationKind kind = lts::ViolationKind::IllegalFiniteTrace;
  std::string tester;  // its name
  std::string state;   // in which it is
  // No part of what the finding is:
  std::vector<std::string> events;  // that the tester saw until then

  friend bool operator==(const TesterSighting& a, const TesterSighting& b) {
    return a.kind == b.kind && a.tester == b.tester && a.state == b.state;
  }
  friend std::strong_ordering operator<=>(const TesterSighting& a, const TesterSighting& b) {
    return std::tie(a.kind, a.tester, a.state) <=> std::tie(b.kind, b.tester, b.state);
  }
};

// Smaller first.
using ThreadPair = std::pair<ThreadId, ThreadId>;

// One finding in one execution. Two sightings are of the same finding if they compare equal.
struct Sighting {
  FindingKind kind = FindingKind::Deadlock;
  std::vector<Standpoint> standpoints;  // a set: sorted, each once
  uint32_t length = 0;                  // transitions until it shows, its own included
  std::optional<TesterSighting> tester = std::nullopt;  // of kind Tester
  // Of a race: where the variable is, if in memory of a loaded file; then it is part of what the
  // finding is, and the threads are not.
  uint64_t variable = 0;
  // No part of what the finding is:
  uint64_t address = 0;  // of a memory conflict
  // Illegal stable failures of a tester, deadlocks of some threads (wait_cycles.h): the transitions
  // that lead there, by their places, `length` of them. They need not be the first ones of the
  // execution; but of the one that confirms the finding they are.
  std::vector<uint32_t> steps = {};

  // Of a race: other pairs of threads between which it is in the same execution.
  std::vector<ThreadPair> others = {};

  bool is_deadlock_of_some() const { return kind == FindingKind::Deadlock && !steps.empty(); }

  friend bool operator==(const Sighting& a, const Sighting& b) { return a.order(b) == 0; }
  friend bool operator<(const Sighting& a, const Sighting& b) { return a.order(b) < 0; }

 private:
  std::strong_ordering order(const Sighting& other) const;
};

// Of a race. Requires that the sighting is of one.
ThreadPair threads_of(const Sighting& race);

// Another execution without which the finding is none (strict_discipline.h).
struct EarlierExecution {
  std::vector<PlannedStep> schedule;
  Execution execution;    // of a replay
  GuardedMemory guarded;  // what protects the memory there
};

// A sighting that a replay has confirmed, or that it has not: then the finding is just that.
struct Finding {
  Sighting sighting;
  std::vector<PlannedStep> schedule;  // replays it
  Execution execution;                // shows it; with call stacks if it was confirmed
  // Nondeterminism: of this kind was a sighting that did not show again on replay. `execution` is
  // the one that showed it.
  std::optional<FindingKind> unconfirmed;
  uint64_t count = 1;                    // executions that showed it
  std::vector<ThreadPair> threads = {};  // of a race: some of those between which it was seen
  std::vector<EarlierExecution> earlier;

  // What minimising (minimize.h) has found out about the schedule; nothing without it.
  std::optional<uint32_t> preemptions;
  bool is_least_preempted = false;   // there is no schedule with fewer preemptions
  std::optional<uint32_t> critical;  // the place of the step with which the error became certain

  FindingKind kind() const { return sighting.kind; }
};

// Whether it shows in one transition, the last of its `length`; otherwise in the state after it.
bool shows_in_transition(const Sighting& sighting, const Execution& execution);

// Everything that is wrong in the execution whatever a tester says, but for deadlocks of some
// threads (wait_cycles.h); each finding once, in the order of their appearance.
std::vector<Sighting> sightings(const Execution& execution);

// The plan's prefix for a sighting: what the transitions that lead to it did.
std::vector<PlannedStep> schedule_of(const Execution& execution, const Sighting& sighting);
// What the first `length` transitions did.
std::vector<PlannedStep> schedule_of(const Execution& execution, uint32_t length);

// A blocked or failing thread with all that the execution knows about it.
struct Culprit {
  ThreadId thread = kNoThread;
  const Operation* op = nullptr;  // what it stands before, or what failed
  const std::vector<OpPart>* parts = nullptr;
  const CodePlace* place = nullptr;
  bool is_running = false;  // it has done `op`, and did not come to the next one
};

// What the threads stand before after these transitions (a set that is closed under
// happens-before, in ascending order).
std::vector<Culprit> standing_after(const std::vector<uint32_t>& steps,
                                    const std::vector<ThreadId>& threads,
                                    const Execution& execution);
// A set: sorted, each once.
std::vector<Standpoint> standpoints_of(const std::vector<Culprit>& culprits);

Sighting sighting_of(const MemoryConflict& conflict);
// The memory conflict that the sighting is of, in this execution; null if it is none.
const MemoryConflict* conflict_of(const Sighting& sighting, const Execution& execution);
inline const MemoryConflict* conflict_of(const Finding& finding) {
  return conflict_of(finding.sighting, finding.execution);
}

// Empty for memory conflicts. Pointers into `execution`. Requires that the sighting is one of this
// execution.
std::vector<Culprit> culprits(const Sighting& sighting, const Execution& execution);
std::vector<Culprit> culprits(const Finding& finding);

}  // namespace mazurka
