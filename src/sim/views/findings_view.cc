#include "sim/views/findings_view.h"

#include "report/words/conflict_text.h"
#include "report/words/finding_text.h"
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
                   {"place", naming.place(accesses[i]->place)}});
  }
  return all;
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
    findings.push_back(
        {{"kind", name_of(sighting.kind)},
         {"at", sighting.length},
         {"message", message(finding, naming.describer())},
         {"accesses", conflict == nullptr ? Json::array() : accesses_json(*conflict, naming)}});
  }
  return findings;
}

}  // namespace mazurka
