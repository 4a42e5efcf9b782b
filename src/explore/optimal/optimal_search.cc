#include "explore/optimal/optimal_search.h"

#include "explore/estimate/known_size.h"
#include "explore/optimal/optimal_run.h"

namespace mazurka {

Verdict optimal_search(Program& program, const SearchOptions& options) {
  Session session(program, options);
  Crew crew(program, session, options);
  OptimalRun run(session, crew, options);
  KnownSize size(program, session, options);
  bool exhausted = false;
  // Short searches are over before anybody would read it.
  constexpr uint64_t kFirst = 500;
  for (uint64_t turn = kFirst; options.wants_size && !exhausted && session.may_go_on(); turn *= 2) {
    exhausted = run.work(session.executions() + turn);
    if (!exhausted && session.may_go_on()) size.refine();
  }
  if (!exhausted) exhausted = run.work();
  return session.finish(exhausted);
}

}  // namespace mazurka
