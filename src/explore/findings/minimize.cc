#include "explore/findings/minimize.h"

#include "explore/findings/critical_step.h"
#include "explore/findings/earlier_program.h"
#include "explore/findings/least_preempted.h"
#include "explore/findings/reorder.h"

namespace mazurka {
namespace {

constexpr uint64_t kExecutions = 1'000;           // of the search for a better schedule
constexpr uint64_t kExecutionsForCritical = 200;  // of that for the critical step
constexpr double kSeconds = 10;  // of both together, and as long as the search itself took

bool can_be_minimized(const Finding& finding) {
  if (finding.unconfirmed) return false;
  const End end = finding.execution.end;
  if (end == End::Lost || end == End::SegmentDamaged) return false;
  return finding.kind() != FindingKind::Divergence && finding.kind() != FindingKind::Nondeterminism;
}

// A livelock shows when it has lasted for long: whether it could still have ended then says
// nothing.
bool can_be_critical(const Finding& finding) {
  return finding.kind() != FindingKind::Livelock && !finding.schedule.empty();
}

// As the program was judged when it was found.
EarlierProgram judged_with(const Finding& finding, Program& program) {
  std::vector<std::vector<GuardedMemory>> earlier;
  for (const EarlierExecution& other : finding.earlier) earlier.push_back({other.guarded});
  return {program, std::move(earlier)};
}

void minimize(Program& program, const SearchOptions& options, double seconds,
              SightingReader& reader, Finding& finding) {
  const Limits& limits = options.limits;
  MinimizeBudget budget(kExecutions, seconds, options.stop.get());
  LeastPreempted search(program, limits, reader, budget);
  if (!search.begin(finding)) return;
  search.offer(reordered(finding.execution, finding.sighting, limits.bound), finding);
  search.improve(finding);
  if (!can_be_critical(finding)) return;
  MinimizeBudget rest(kExecutionsForCritical, seconds, options.stop.get());
  finding.critical = critical_step(program, limits, finding, reader, rest);
}

}  // namespace

void minimize(Program& program, const SearchOptions& options, Verdict& verdict) {
  SightingReader reader(program, options.tester, options.limits.bound);
  for (Finding& finding : verdict.findings) {
    if (!can_be_minimized(finding)) continue;
    EarlierProgram judged = judged_with(finding, program);
    minimize(judged, options, kSeconds + verdict.seconds, reader, finding);
  }
}

}  // namespace mazurka
