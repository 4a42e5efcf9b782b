#include "explore/sleep_search.h"

#include "explore/session.h"
#include "explore/sleep_path.h"

namespace mazurka {

Verdict sleep_search(Program& program, const SearchOptions& options) {
  Session session(program, options);
  SleepPath path(options.limits, options.conditional);
  Execution execution;
  bool exhausted = false;
  while (!exhausted && session.may_go_on()) {
    session.run(path.plan(), path.known(), execution);
    const Result<size_t> first_new = path.extend(execution);
    if (!first_new) {
      session.fail(first_new.error());
      break;
    }
    for (size_t i = *first_new; i < path.states().size(); ++i) path.states()[i].select_all();
    exhausted = !path.backtrack();
  }
  return session.finish(exhausted);
}

}  // namespace mazurka
