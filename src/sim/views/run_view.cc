// The part of state_view.h about a run as a whole.
#include <algorithm>

#include "sim/server/json.h"
#include "sim/views/state_view.h"

namespace mazurka {
namespace {

std::string end_name(End end) {
  switch (end) {
    case End::Finished:
      return "finished";
    case End::Deadlock:
      return "deadlock";
    case End::Bounded:
      return "bounded";
    case End::DepthReached:
    case End::Blocked:
      return "open";
    case End::Livelock:
      return "livelock";
    case End::Nondeterminism:
      return "nondeterminism";
    case End::Divergence:
      return "divergence";
    case End::Hung:
      return "hung";
    case End::Lost:
      return "lost";
    case End::SegmentDamaged:
    case End::Trouble:
    case End::Stopped:
      return "trouble";
  }
  return "trouble";
}

}  // namespace

Json run_json(const Run& run, Naming& naming) {
  Json threads = Json::array();
  std::vector<ThreadId> all;
  const auto look = [&](const Invisible& invisible) {
    for (const ThreadCreation& made : invisible.creations) all.push_back(made.created);
  };
  look(run.execution.before);
  for (const Transition& made : run.execution.transitions) look(made.after);
  std::sort(all.begin(), all.end());
  for (const ThreadId id : all) {
    threads.push_back({{"id", index(id)},
                       {"name", naming.describer().thread(id)},
                       {"role", naming.describer().thread_role(id, run.execution)}});
  }
  return {{"run", run.id},
          {"length", run.length()},
          {"end", end_name(run.execution.end)},
          {"fails", !run.sightings.empty()},
          {"threads", std::move(threads)}};
}

}  // namespace mazurka
