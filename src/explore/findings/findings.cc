#include "explore/findings/findings.h"

#include <sys/wait.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "objects/bad_memory.h"

namespace mazurka {
namespace {

constexpr std::pair<FindingKind, const char*> kKindNames[] = {
    {FindingKind::Deadlock, "deadlock"},
    {FindingKind::Assertion, "assertion"},
    {FindingKind::Crash, "crash"},
    {FindingKind::Exit, "exit"},
    {FindingKind::Misuse, "misuse"},
    {FindingKind::Memory, "memory"},
    {FindingKind::Race, "race"},
    {FindingKind::LockingDiscipline, "locking-discipline"},
    {FindingKind::Livelock, "livelock"},
    {FindingKind::Divergence, "divergence"},
    {FindingKind::Nondeterminism, "nondeterminism"},
    {FindingKind::Tester, "tester"},
};

// What the failing operation itself is a finding of, if it is one.
std::optional<FindingKind> kind_of_failure(const Transition& transition) {
  if (is_delivery(transition.op, transition.choice.outcome)) {
    // The first process, or one that did it to itself.
    const bool matters =
        transition.process == kMainThread || transition.op.kind == OpKind::SignalSend;
    const bool ends = ended_by_signal(transition.op, transition.choice.outcome, transition.effect);
    return matters && ends ? std::optional(FindingKind::Crash) : std::nullopt;
  }
  const OpKind kind = transition.op.kind;
  if (kind == OpKind::Assertion) return FindingKind::Assertion;
  if (is_bad_memory(transition.op)) return FindingKind::Memory;
  if (kind == OpKind::Crash) return FindingKind::Crash;
  if (kind == OpKind::Misuse) return FindingKind::Misuse;
  if (transition.effect.misuse != Misuse::None) return FindingKind::Misuse;
  return std::nullopt;
}

// Whether a transition may be a finding by itself.
bool may_have_failures(const Execution& execution) {
  return (execution.rarities & (kRareFailures | kRareEffects)) != 0;
}

std::optional<FindingKind> kind_of_end(End end) {
  switch (end) {
    case End::Deadlock:
      return FindingKind::Deadlock;
    case End::Livelock:
      return FindingKind::Livelock;
    case End::Divergence:
    case End::Hung:
      return FindingKind::Divergence;
    case End::Nondeterminism:
      return FindingKind::Nondeterminism;
    case End::Lost:
      return FindingKind::Crash;
    case End::SegmentDamaged:
      return FindingKind::Memory;
    case End::Finished:
    case End::Bounded:
    case End::DepthReached:
    case End::Blocked:
    case End::Trouble:
    case End::Stopped:
      return std::nullopt;
  }
  return std::nullopt;
}

const ThreadAtEnd* thread_at_end(const Execution& execution, ThreadId id) {
  for (const ThreadAtEnd& thread : execution.threads) {
    if (thread.id == id) return &thread;
  }
  return nullptr;
}

// The transition with which the first process ended itself, if its end was one.
const Transition* end_of_first_process(const Execution& execution) {
  for (const Transition& transition : execution.transitions) {
    if (transition.op.kind == OpKind::ProcessEnd && transition.process == kMainThread) {
      return &transition;
    }
  }
  return nullptr;
}

Culprit culprit_of(const Transition& transition) {
  return {transition.choice.thread, &transition.op, &transition.parts, &transition.place, false};
}

Culprit culprit_of(const ThreadAtEnd& thread) {
  return {thread.id, &thread.pending, &thread.parts, &thread.place,
          thread.status == ThreadStatus::Running};
}

std::vector<Culprit> blocked_threads(const Execution& execution) {
  std::vector<Culprit> blocked;
  for (const ThreadAtEnd& thread : execution.threads) {
    if (thread.status == ThreadStatus::AtOperation) blocked.push_back(culprit_of(thread));
  }
  return blocked;
}

std::vector<Culprit> ender_of_first_process(const Execution& execution) {
  if (const Transition* end = end_of_first_process(execution)) return {culprit_of(*end)};
  if (const ThreadAtEnd* main = thread_at_end(execution, kMainThread)) return {culprit_of(*main)};
  return {};
}

bool ends_with(const Sighting& sighting, const Execution& execution) {
  return sighting.length == execution.transitions.size();
}

bool failed_in_transition(const Sighting& sighting, const Execution& execution) {
  return sighting.length > 0 && sighting.length <= execution.transitions.size() &&
         kind_of_failure(execution.transitions[sighting.length - 1]) == sighting.kind;
}

// One entry for each object that a culprit is at: a System V operation may wait for several
// semaphores.
void add_standpoints(const Culprit& culprit, std::vector<Standpoint>& out) {
  const uint64_t pc = culprit.place->pc;
  if (culprit.parts->empty()) {
    out.push_back({culprit.thread, pc, culprit.op->object});
    return;
  }
  for (const OpPart& part : *culprit.parts) out.push_back({culprit.thread, pc, part.object});
}

// Where invisible code is stopped depends on the clock, so a thread in it is known by its last
// operation.
Standpoint last_operation(const Execution& execution, ThreadId thread) {
  const std::vector<Transition>& transitions = execution.transitions;
  const auto last =
      std::find_if(transitions.rbegin(), transitions.rend(),
                   [thread](const Transition& t) { return t.choice.thread == thread; });
  if (last == transitions.rend()) return {thread, 0, kNoObject};
  return {thread, last->place.pc, last->op.object};
}

Sighting make_sighting(FindingKind kind, size_t length, const Execution& execution) {
  Sighting sighting{kind, {}, static_cast<uint32_t>(length)};
  if (kind == FindingKind::Divergence) {
    sighting.standpoints.push_back(last_operation(execution, execution.culprit));
    return sighting;
  }
  sighting.standpoints = standpoints_of(culprits(sighting, execution));
  return sighting;
}

PlannedStep planned(const Transition& transition) {
  return {transition.choice, transition.op.kind, {}, transition.op.object};
}

// After the steps of the sighting, those who are part of it.
std::vector<Culprit> standing_there(const Sighting& sighting, const Execution& execution) {
  std::vector<ThreadId> threads;
  for (const Standpoint& point : sighting.standpoints) {
    if (threads.empty() || threads.back() != point.thread) threads.push_back(point.thread);
  }
  return standing_after(sighting.steps, threads, execution);
}

// The event that led the tester to reject, or where all stood when they stopped.
std::vector<Culprit> tester_culprits(const Sighting& sighting, const Execution& execution) {
  if (sighting.tester->kind == lts::ViolationKind::IllegalFiniteTrace) {
    if (sighting.length == 0) return {};
    return {culprit_of(execution.transitions[sighting.length - 1])};
  }
  return standing_there(sighting, execution);
}

FindingKind kind_of(const MemoryConflict& conflict) {
  return conflict.kind == ConflictKind::Race ? FindingKind::Race : FindingKind::LockingDiscipline;
}

void add_once(Sighting sighting, std::vector<Sighting>& out) {
  const auto known = std::find(out.begin(), out.end(), sighting);
  if (known == out.end()) {
    out.push_back(std::move(sighting));
  } else if (sighting.kind == FindingKind::Race) {
    known->others.push_back(threads_of(sighting));
  }
}

bool is_before(const Standpoint& a, const Standpoint& b) {
  return std::tie(a.pc, a.thread) < std::tie(b.pc, b.thread);
}

}  // namespace

const char* name_of(FindingKind kind) {
  for (const auto& [known, name] : kKindNames) {
    if (known == kind) return name;
  }
  return "?";
}

std::optional<FindingKind> finding_kind_of(const std::string& name) {
  for (const auto& [kind, known] : kKindNames) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

bool shows_in_transition(const Sighting& sighting, const Execution& execution) {
  if (sighting.tester) {
    return sighting.length > 0 && sighting.tester->kind == lts::ViolationKind::IllegalFiniteTrace;
  }
  return failed_in_transition(sighting, execution);
}

std::vector<Sighting> sightings(const Execution& execution) {
  std::vector<Sighting> found;
  for (const MemoryConflict& conflict : execution.conflicts) {
    // Nothing is wrong with memory that turns out to be shared.
    if (conflict.kind != ConflictKind::Tentative) add_once(sighting_of(conflict), found);
  }
  bool first_process_failed = false;
  const std::vector<Transition>& transitions = execution.transitions;
  for (size_t i = 0; may_have_failures(execution) && i < transitions.size(); ++i) {
    if (const auto kind = kind_of_failure(transitions[i])) {
      add_once(make_sighting(*kind, i + 1, execution), found);
      first_process_failed |= transitions[i].process == kMainThread;
    }
  }
  if (const auto kind = kind_of_end(execution.end)) {
    add_once(make_sighting(*kind, transitions.size(), execution), found);
  }
  if (execution.first_process_ended && execution.wait_status != 0 && !first_process_failed &&
      execution.end != End::Lost) {
    const auto kind = WIFSIGNALED(execution.wait_status) ? FindingKind::Crash : FindingKind::Exit;
    add_once(make_sighting(kind, transitions.size(), execution), found);
  }
  return found;
}

std::vector<PlannedStep> schedule_of(const Execution& execution, uint32_t length) {
  MAZURKA_CHECK(length <= execution.transitions.size());
  std::vector<PlannedStep> schedule;
  for (uint32_t i = 0; i < length; ++i) schedule.push_back(planned(execution.transitions[i]));
  return schedule;
}

std::vector<PlannedStep> schedule_of(const Execution& execution, const Sighting& sighting) {
  if (sighting.steps.empty()) return schedule_of(execution, sighting.length);
  std::vector<PlannedStep> schedule;
  for (const uint32_t i : sighting.steps) {
    schedule.push_back(planned(execution.transitions[i]));
  }
  return schedule;
}

std::vector<Culprit> standing_after(const std::vector<uint32_t>& steps,
                                    const std::vector<ThreadId>& threads,
                                    const Execution& execution) {
  const std::vector<Transition>& transitions = execution.transitions;
  std::vector<Culprit> standing;
  for (const ThreadId thread : threads) {
    const Transition* next = nullptr;
    for (uint32_t i = 0; i < transitions.size() && next == nullptr; ++i) {
      if (transitions[i].choice.thread != thread) continue;
      if (!std::binary_search(steps.begin(), steps.end(), i)) next = &transitions[i];
    }
    const ThreadAtEnd* at_end = thread_at_end(execution, thread);
    if (next != nullptr) {
      standing.push_back(culprit_of(*next));
    } else if (at_end != nullptr) {
      standing.push_back(culprit_of(*at_end));
    }
  }
  return standing;
}

std::vector<Standpoint> standpoints_of(const std::vector<Culprit>& culprits) {
  std::vector<Standpoint> points;
  for (const Culprit& culprit : culprits) add_standpoints(culprit, points);
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

Sighting sighting_of(const MemoryConflict& conflict) {
  Sighting sighting{kind_of(conflict), {}, conflict.position};
  sighting.address = conflict.address;
  for (const MemoryAccess* access : {&conflict.first, &conflict.second}) {
    sighting.standpoints.push_back({access->thread, access->place.pc, kNoObject});
  }
  if (sighting.kind != FindingKind::Race) {
    std::sort(sighting.standpoints.begin(), sighting.standpoints.end());
    return sighting;
  }
  std::sort(sighting.standpoints.begin(), sighting.standpoints.end(), is_before);
  if (conflict.where.storage == Storage::Module) sighting.variable = conflict.address;
  return sighting;
}

std::strong_ordering Sighting::order(const Sighting& other) const {
  if (kind != other.kind) return kind <=> other.kind;
  if (kind != FindingKind::Race)
    return std::tie(standpoints, tester) <=> std::tie(other.standpoints, other.tester);
  const auto places = [](const Sighting& race) {
    std::vector<uint64_t> pcs;
    for (const Standpoint& point : race.standpoints) pcs.push_back(point.pc);
    return pcs;
  };
  if (variable != other.variable) return variable <=> other.variable;
  return places(*this) <=> places(other);
}

ThreadPair threads_of(const Sighting& race) {
  MAZURKA_CHECK(race.standpoints.size() == 2);
  return std::minmax(race.standpoints[0].thread, race.standpoints[1].thread);
}

const MemoryConflict* conflict_of(const Sighting& sighting, const Execution& execution) {
  for (const MemoryConflict& conflict : execution.conflicts) {
    if (sighting_of(conflict) == sighting) return &conflict;
  }
  return nullptr;
}

std::vector<Culprit> culprits(const Sighting& sighting, const Execution& execution) {
  const bool of_memory =
      sighting.kind == FindingKind::Race || sighting.kind == FindingKind::LockingDiscipline;
  if (of_memory) return {};
  if (sighting.kind == FindingKind::Tester) return tester_culprits(sighting, execution);
  if (sighting.is_deadlock_of_some()) return standing_there(sighting, execution);
  if (failed_in_transition(sighting, execution)) {
    return {culprit_of(execution.transitions[sighting.length - 1])};
  }
  MAZURKA_CHECK(ends_with(sighting, execution));
  if (sighting.kind == FindingKind::Deadlock) return blocked_threads(execution);
  const bool of_end = kind_of_end(execution.end) == sighting.kind;
  if (!of_end) return ender_of_first_process(execution);
  if (const ThreadAtEnd* thread = thread_at_end(execution, execution.culprit)) {
    return {culprit_of(*thread)};
  }
  return {};
}

std::vector<Culprit> culprits(const Finding& finding) {
  Sighting seen = finding.sighting;
  if (finding.unconfirmed) seen.kind = *finding.unconfirmed;
  return culprits(seen, finding.execution);
}

}  // namespace mazurka
