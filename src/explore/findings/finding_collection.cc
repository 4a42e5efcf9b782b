#include "explore/findings/finding_collection.h"

#include <algorithm>

#include "explore/findings/earlier_program.h"

namespace mazurka {
namespace {

// The steps that lead to the sighting. Where the program did not do what the plan says, they are
// the plan's, up to the step that it did not do.
std::vector<PlannedStep> schedule_to(const Plan& plan, const Execution& execution,
                                     const Sighting& sighting) {
  if (sighting.kind != FindingKind::Nondeterminism) return schedule_of(execution, sighting);
  const size_t length = std::min<size_t>(execution.position + size_t{1}, plan.prefix.size());
  return {plan.prefix.begin(), plan.prefix.begin() + static_cast<std::ptrdiff_t>(length)};
}

// What the evidence says, in a replay.
Result<std::optional<EarlierExecution>> show_again(Program& program, const Limits& limits,
                                                   const GuardEvidence& evidence) {
  Plan replay;
  replay.prefix = evidence.schedule;
  replay.limits = limits;
  replay.stacks = true;
  EarlierExecution shown;
  shown.schedule = evidence.schedule;
  if (Result<void> ran = program.run(replay, shown.execution); !ran) return ran.error();
  if (shown.execution.end == End::Trouble) return Error{shown.execution.text};
  const GuardedMemory& wanted = evidence.memory;
  for (const GuardedMemory& memory : shown.execution.guarded) {
    const bool is_it = StrictDiscipline::key_of(memory) == StrictDiscipline::key_of(wanted) &&
                       memory.bytes == wanted.bytes && memory.locks == wanted.locks &&
                       memory.access.thread == wanted.access.thread &&
                       memory.access.place.pc == wanted.access.place.pc;
    if (!is_it) continue;
    shown.guarded = memory;
    return std::optional<EarlierExecution>(std::move(shown));
  }
  return std::optional<EarlierExecution>();
}

Finding unconfirmed(const GuardEvidence& evidence) {
  Finding finding;
  finding.schedule = evidence.schedule;
  finding.sighting.kind = FindingKind::Nondeterminism;
  finding.unconfirmed = FindingKind::LockingDiscipline;
  return finding;
}

Sighting strict_sighting(const GuardProof& proof) {
  Execution last;
  last.guarded.push_back(proof.back().memory);
  std::vector<std::vector<GuardedMemory>> earlier;
  for (size_t i = 0; i + 1 < proof.size(); ++i) earlier.push_back({proof[i].memory});
  add_strict_conflicts(earlier, last);
  MAZURKA_CHECK(last.conflicts.size() == 1);
  return sighting_of(last.conflicts.front());
}

}  // namespace

Result<std::optional<Finding>> confirmed(Program& program, const Limits& limits,
                                         std::vector<PlannedStep> schedule,
                                         const Sighting& sighting, SightingReader& reader) {
  Plan replay;
  replay.prefix = schedule;
  replay.limits = limits;
  replay.stacks = true;
  replay.watched = sighting.address & ~uint64_t{7};
  // What a program says when it crashes tells why.
  replay.show_output = sighting.kind == FindingKind::Crash;
  Finding finding;
  finding.schedule = std::move(schedule);
  if (Result<void> ran = program.run(replay, finding.execution); !ran) return ran.error();
  if (finding.execution.end == End::Trouble) return Error{finding.execution.text};
  for (Sighting& seen : reader.read(finding.execution)) {
    if (!(seen == sighting)) continue;
    finding.sighting = std::move(seen);
    return std::optional<Finding>(std::move(finding));
  }
  return std::optional<Finding>();
}

FindingCollection::FindingCollection(Program& program, const Limits& limits,
                                     std::shared_ptr<const ProgramTester> tester,
                                     std::function<bool(const Finding&)> is_suppressed,
                                     std::function<std::string(const Finding&)> race_key)
    : limits_(limits),
      reader_(program, std::move(tester), limits.bound),
      race_key_(std::move(race_key)),
      is_suppressed_(std::move(is_suppressed)),
      strict_(program) {}

Result<void> FindingCollection::add(Program& program, const Plan& plan, const Execution& execution,
                                    bool beside) {
  seen_now_.clear();
  beside_now_ = beside;
  for (const Sighting& sighting : reader_.read(execution)) {
    if (Result<void> added = add(program, plan, execution, sighting); !added) return added;
  }
  return add_guarded(program, execution);
}

Result<void> FindingCollection::add(Program& program, const Plan& plan, const Execution& execution,
                                    const Sighting& sighting) {
  if (suppressed_.count(sighting) > 0) return {};
  const auto known = places_.find(sighting);
  if (known != places_.end()) {
    note_again(known->second, sighting);
    if (sighting.length >= findings_[known->second].sighting.length) return {};
  }
  Result<Finding> finding = confirm(program, plan, execution, sighting);
  if (!finding) return finding.error();
  finding->sighting.others = sighting.others;
  if (suppress(*finding)) return {};
  const size_t before = findings_.size();
  keep(std::move(finding.value()));
  if (beside_now_ && findings_.size() > before) findings_.back().count = 0;
  return {};
}

std::vector<Finding> FindingCollection::take() {
  for (Finding& finding : findings_) finding.count = std::max<uint64_t>(finding.count, 1);
  return std::move(findings_);
}

bool FindingCollection::suppress(const Finding& finding) {
  if (!is_suppressed_ || !is_suppressed_(finding)) return false;
  suppressed_.insert(finding.sighting);
  return true;
}

// A sighting of nondeterminism stands in any case: if the replay goes well, that is the same news.
Result<Finding> FindingCollection::confirm(Program& program, const Plan& plan,
                                           const Execution& execution, const Sighting& sighting) {
  std::vector<PlannedStep> schedule = schedule_to(plan, execution, sighting);
  Result<std::optional<Finding>> replayed =
      confirmed(program, limits_, schedule, sighting, reader_);
  if (!replayed) return replayed.error();
  if (replayed->has_value()) return std::move(**replayed);
  Finding finding;
  finding.schedule = std::move(schedule);
  finding.sighting = sighting;
  finding.execution = execution;
  if (program.is_stopped()) {
    ++not_replayed_;
    return finding;
  }
  if (sighting.kind != FindingKind::Nondeterminism) finding.unconfirmed = sighting.kind;
  finding.sighting.kind = FindingKind::Nondeterminism;
  return finding;
}

// --- findings that take several executions

Result<void> FindingCollection::add_guarded(Program& program, const Execution& execution) {
  if (execution.guarded.empty()) return {};
  for (const StrictDiscipline::Key& word : strict_.add(execution)) {
    for (const GuardProof& proof : strict_.proofs(word)) {
      const Result<Finding> finding = confirm(program, proof);
      if (!finding) return finding.error();
      if (finding->unconfirmed && program.is_stopped()) return {};
      if (!suppress(*finding)) unprotected_.insert(word);
    }
  }
  return {};
}

// The last execution is that of the finding, the others are the earlier ones.
Result<Finding> FindingCollection::confirm(Program& program, const GuardProof& proof) {
  std::vector<EarlierExecution> earlier;
  std::vector<std::vector<GuardedMemory>> guarded;
  for (const GuardEvidence& evidence : proof) {
    Result<std::optional<EarlierExecution>> shown = show_again(program, limits_, evidence);
    if (!shown) return shown.error();
    if (!shown->has_value()) return unconfirmed(evidence);
    if (&evidence == &proof.back()) break;
    guarded.push_back({(*shown)->guarded});
    earlier.push_back(std::move(**shown));
  }
  EarlierProgram judged(program, std::move(guarded));
  const Sighting sighting = strict_sighting(proof);
  Result<std::optional<Finding>> finding =
      confirmed(judged, limits_, proof.back().schedule, sighting, reader_);
  if (!finding) return finding.error();
  if (!finding->has_value()) return unconfirmed(proof.back());
  (*finding)->earlier = std::move(earlier);
  return std::move(**finding);
}

Result<void> FindingCollection::settle(Program& program) {
  for (const StrictDiscipline::Key& word : unprotected_) {
    for (const GuardProof& proof : strict_.proofs(word)) {
      Result<Finding> finding = confirm(program, proof);
      if (!finding) return finding.error();
      if (finding->unconfirmed && program.is_stopped()) continue;
      if (!suppress(*finding)) keep(std::move(finding.value()));
    }
  }
  unprotected_.clear();
  return {};
}

bool FindingCollection::save(ByteWriter& out) const {
  out.put(static_cast<uint64_t>(findings_.size()));
  for (const Finding& finding : findings_) {
    if (finding.kind() == FindingKind::Nondeterminism) return false;
    const Sighting& sighting = finding.sighting;
    out.put(sighting.kind);
    out.put_all(sighting.standpoints);
    out.put(sighting.variable);
    out.put(sighting.address);
    out.put(sighting.tester.has_value());
    if (sighting.tester) {
      out.put(sighting.tester->kind);
      out.put_text(sighting.tester->tester);
      out.put_text(sighting.tester->state);
    }
    out.put_all(finding.schedule);
    out.put(finding.count);
  }
  return true;
}

Result<void> FindingCollection::restore(Program& program, ByteReader& in) {
  for (uint64_t i = in.get_count(sizeof(uint64_t)); i > 0 && in.ok(); --i) {
    Sighting sighting;
    sighting.kind = in.get<FindingKind>();
    sighting.standpoints = in.get_all<Standpoint>();
    sighting.variable = in.get<uint64_t>();
    sighting.address = in.get<uint64_t>();
    if (in.get<bool>()) {
      sighting.tester.emplace();
      sighting.tester->kind = in.get<lts::ViolationKind>();
      sighting.tester->tester = in.get_text();
      sighting.tester->state = in.get_text();
    }
    std::vector<PlannedStep> schedule = in.get_all<PlannedStep>();
    const auto count = in.get<uint64_t>();
    if (!in.ok()) break;
    Result<std::optional<Finding>> found =
        confirmed(program, limits_, std::move(schedule), sighting, reader_);
    if (!found) return found.error();
    if (!found->has_value() && program.is_stopped()) return {};
    if (!found->has_value()) return Error{"a finding of the checkpoint did not show again"};
    (*found)->count = count;
    keep(std::move(**found));
  }
  return {};
}

size_t FindingCollection::place_of(const Finding& finding) {
  const bool is_race = finding.kind() == FindingKind::Race;
  if (!is_race || !race_key_) return findings_.size();
  return races_.try_emplace(race_key_(finding), findings_.size()).first->second;
}

// Counts executions, not pairs of accesses.
void FindingCollection::note_again(size_t place, const Sighting& sighting) {
  constexpr size_t kMostExamples = 3;
  Finding& finding = findings_[place];
  if (seen_now_.insert(place).second && !beside_now_) ++finding.count;
  if (sighting.kind != FindingKind::Race) return;
  std::vector<ThreadPair> pairs = sighting.others;
  pairs.insert(pairs.begin(), threads_of(sighting));
  for (const ThreadPair& pair : pairs) {
    std::vector<ThreadPair>& all = finding.threads;
    if (all.size() < kMostExamples && std::find(all.begin(), all.end(), pair) == all.end())
      all.push_back(pair);
  }
}

void FindingCollection::keep(Finding finding) {
  const auto known_place = places_.find(finding.sighting);
  const bool is_new_sighting = known_place == places_.end();
  const size_t place = is_new_sighting ? place_of(finding) : known_place->second;
  const Sighting sighting = finding.sighting;
  places_.emplace(sighting, place);
  if (place == findings_.size()) {
    findings_.push_back(std::move(finding));
    seen_now_.insert(place);
    note_again(place, sighting);
    return;
  }
  Finding& known = findings_[place];
  // An unconfirmed one again, or other accesses of the same race: only here it is seen to be the
  // same.
  if (is_new_sighting || sighting.length >= known.sighting.length) note_again(place, sighting);
  if (sighting.length >= known.sighting.length) return;
  finding.count = known.count;
  finding.threads = std::move(known.threads);
  known = std::move(finding);
}

}  // namespace mazurka
