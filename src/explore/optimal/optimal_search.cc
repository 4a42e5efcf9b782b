#include "explore/optimal/optimal_search.h"

#include "explore/optimal/optimal_run.h"

namespace mazurka {

Verdict optimal_search(Program& program, const SearchOptions& options) {
  Session session(program, options);
  Crew crew(program, session, options);
  OptimalRun run(session, crew, options);
  const bool exhausted = run.work();
  return session.finish(exhausted);
}

}  // namespace mazurka
