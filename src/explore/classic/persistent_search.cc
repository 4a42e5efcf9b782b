#include "explore/classic/persistent_search.h"

#include <mutex>

#include "explore/classic/persistent_set.h"
#include "explore/classic/sleep_path.h"
#include "explore/engine/crew.h"

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

// What all parts of a round share: what is known while it lasts, and what is learned in it.
class Knowledge {
 public:
  explicit Knowledge(bool composed) : known_(composed), learned_(composed) {}

  const Footprints& known() const { return known_; }

  void learn(const Execution& execution) {
    const std::lock_guard lock(mutex_);
    if (learned_.learn(execution)) grown_ = true;
  }

  void save(ByteWriter& out) {
    const std::lock_guard lock(mutex_);
    known_.save(out);
    learned_.save(out);
    out.put(grown_);
  }
  void restore(ByteReader& in) {
    known_.restore(in);
    learned_.restore(in);
    grown_ = in.get<bool>();
  }

  // Between two rounds. Whether the last one was based on too little.
  bool take_over() {
    if (!grown_) return false;
    known_ = learned_;
    grown_ = false;
    return true;
  }

 private:
  std::mutex mutex_;
  Footprints known_;
  Footprints learned_;
  bool grown_ = false;
};

class PersistentPart : public Part {
 public:
  PersistentPart(const SearchOptions& options, Knowledge& knowledge)
      : options_(options),
        knowledge_(knowledge),
        path_(options),
        selection_(path_, knowledge.known(), options.limits.bound) {}

  void plan(size_t, Round& round) override {
    if (!is_over_) round.add(path_.known()) = path_.plan();
  }

  bool take(const Round&, size_t, const Execution& execution, Session& session) override {
    knowledge_.learn(execution);
    const Result<size_t> first_new = path_.extend(execution);
    if (!first_new) {
      session.fail(first_new.error());
      return true;
    }
    selection_.select(execution, *first_new);
    path_.count_ways(*first_new);
    session.note_done(path_.finished_share());
    is_over_ = !path_.backtrack();
    return true;
  }

  void save(ByteWriter& out) const override {
    path_.save(out);
    out.put(is_over_);
  }
  void restore(ByteReader& in) {
    path_.restore(in);
    is_over_ = in.get<bool>();
  }

  std::unique_ptr<Part> split() override {
    auto part = std::make_unique<PersistentPart>(options_, knowledge_);
    if (!path_.split(part->path_)) return nullptr;
    return part;
  }

 private:
  const SearchOptions& options_;
  Knowledge& knowledge_;
  SleepPath path_;
  Selection selection_;
  bool is_over_ = false;
};

}  // namespace

// Each round goes to its end, so that what is learned does not depend on the order of its
// executions.
Verdict persistent_search(Program& program, const SearchOptions& options) {
  Session session(program, options);
  session.done_is_of(DoneOf::Round);
  Crew crew(program, session, options);
  Knowledge knowledge(options.rule != nullptr && options.rule->composed);
  const auto whole = [&] { return std::make_unique<PersistentPart>(options, knowledge); };
  crew.save_shared_by([&](ByteWriter& out) { knowledge.save(out); });
  ByteReader saved(options.checkpoints.resume);
  if (!options.checkpoints.resume.empty()) {
    session.restore(saved);
    knowledge.restore(saved);
  }
  bool exhausted = crew.work(restored_parts<PersistentPart>(options, saved, session, whole));
  while (exhausted && knowledge.take_over()) {
    session.start_again();
    exhausted = crew.work(whole());
  }
  return session.finish(exhausted);
}

}  // namespace mazurka
