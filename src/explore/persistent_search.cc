#include "explore/persistent_search.h"

#include "explore/persistent_set.h"
#include "explore/session.h"
#include "explore/sleep_path.h"

namespace mazurka {
namespace {

class Selection {
 public:
  Selection(SleepPath& path, const Footprints& footprints, uint32_t bound)
      : path_(path), sets_(footprints, bound) {}

  // Selects threads in the states from `first_new` on.
  void select(const Execution& execution, size_t first_new) {
    replay_.begin(execution);
    while (replay_.position() < first_new) replay_.step();
    for (size_t i = first_new; i < path_.states().size(); ++i) {
      if (!select_in(path_.states()[i])) return path_.cut(i);
      if (i + 1 < path_.states().size()) replay_.step();
    }
  }

 private:
  // False if the path should not go on as the execution did.
  bool select_in(PathState& state) {
    sets_.read(replay_);
    if (state.taken != nullptr) {
      for (const ThreadId id : sets_.close(state.taken->planned.choice.thread)) state.select(id);
      return true;
    }
    state.select_all();
    return false;
  }

  SleepPath& path_;
  PersistentSets sets_;
  StateReplay replay_;
};

// One round with what is known. Returns whether the search has no plan left; `grown` where it must
// start again.
bool search_round(Session& session, const SearchOptions& options, Footprints& footprints,
                  bool& grown) {
  SleepPath path(options.limits, options.conditional);
  Selection selection(path, footprints, options.limits.bound);
  Execution execution;
  while (session.may_go_on()) {
    session.run(path.plan(), path.known(), execution);
    grown = footprints.learn(execution);
    if (grown) return false;
    const Result<size_t> first_new = path.extend(execution);
    if (!first_new) {
      session.fail(first_new.error());
      return false;
    }
    selection.select(execution, *first_new);
    if (!path.backtrack()) return true;
  }
  return false;
}

}  // namespace

Verdict persistent_search(Program& program, const SearchOptions& options) {
  Session session(program, options);
  Footprints footprints;
  bool grown = true;
  bool exhausted = false;
  while (grown && session.may_go_on()) {
    session.start_again();
    grown = false;
    exhausted = search_round(session, options, footprints, grown);
  }
  return session.finish(exhausted);
}

}  // namespace mazurka
