#include "sim/views/findings_view.h"

#include <algorithm>

#include "report/words/conflict_text.h"
#include "report/words/finding_text.h"
#include "report/words/reason.h"
#include "sim/server/json.h"

namespace mazurka {
namespace {

Json accesses_json(const MemoryConflict& conflict, Naming& naming) {
  const std::vector<AccessLine> lines = access_lines(conflict, naming.describer());
  const MemoryAccess* const accesses[] = {&conflict.second, &conflict.first};
  Json all = Json::array();
  for (size_t i = 0; i < lines.size(); ++i) {
    all.push_back({{"thread", index(accesses[i]->thread)},
                   {"what", lines[i].thread + ": " + lines[i].what},
                   {"access", lines[i].access},
                   {"locks", lines[i].locks},
                   {"place", naming.place(accesses[i]->place)},
                   {"stack", naming.stack(accesses[i]->place)}});
  }
  return all;
}

// Whom the finding is about: whose source is to be shown.
ThreadId thread_of(const Finding& finding, ThreadId blamed) {
  if (blamed != kNoThread) return blamed;
  if (const MemoryConflict* conflict = conflict_of(finding)) return conflict->second.thread;
  const std::vector<Culprit> all = culprits(finding);
  const std::vector<Transition>& made = finding.execution.transitions;
  for (size_t i = std::min<size_t>(finding.sighting.length, made.size()); i-- > 0;) {
    for (const Culprit& culprit : all) {
      if (culprit.thread == made[i].choice.thread) return culprit.thread;
    }
  }
  return all.empty() ? finding.execution.culprit : all[0].thread;
}

Json thread_json(ThreadId thread) {
  return thread == kNoThread ? Json(nullptr) : Json(index(thread));
}

}  // namespace

Json findings_json(const Run& run, uint32_t at, Naming& naming) {
  Json findings = Json::array();
  for (const Sighting& sighting : run.sightings) {
    const uint32_t shows = sighting.steps.empty() ? sighting.length : sighting.steps.back() + 1;
    if (shows > at) continue;
    Finding finding;
    finding.sighting = sighting;
    finding.execution = run.execution;
    finding.schedule = schedule_of(run.execution, sighting.length);
    if (sighting.kind == FindingKind::Nondeterminism && run.expected)
      finding.schedule.push_back(*run.expected);
    const MemoryConflict* const conflict = conflict_of(finding);
    const Reason reason = reason_for(finding, naming.describer());
    findings.push_back(
        {{"kind", name_of(sighting.kind)},
         {"at", sighting.length},
         {"message", message(finding, naming.describer())},
         {"why", reason.sentence},
         {"thread", thread_json(thread_of(finding, reason.blamed))},
         {"accesses", conflict == nullptr ? Json::array() : accesses_json(*conflict, naming)}});
  }
  return findings;
}

}  // namespace mazurka
