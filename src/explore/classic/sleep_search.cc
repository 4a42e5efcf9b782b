#include "explore/classic/sleep_search.h"

#include "explore/classic/sleep_path.h"
#include "explore/engine/crew.h"

namespace mazurka {
namespace {

class SleepPart : public Part {
 public:
  explicit SleepPart(const SearchOptions& options) : options_(options), path_(options) {}

  void plan(size_t, Round& round) override {
    if (!is_over_) round.add(path_.known()) = path_.plan();
  }

  bool take(const Round&, size_t, const Execution& execution, Session& session) override {
    const Result<size_t> first_new = path_.extend(execution);
    if (!first_new) {
      session.fail(first_new.error());
      return true;
    }
    for (size_t i = *first_new; i < path_.states().size(); ++i) path_.states()[i].select_all();
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
    auto part = std::make_unique<SleepPart>(options_);
    if (!path_.split(part->path_)) return nullptr;
    return part;
  }

 private:
  const SearchOptions& options_;
  SleepPath path_;
  bool is_over_ = false;
};

}  // namespace

Verdict sleep_search(Program& program, const SearchOptions& options) {
  Session session(program, options);
  Crew crew(program, session, options);
  crew.save_shared_by([](ByteWriter&) {});
  ByteReader saved(options.checkpoints.resume);
  if (!options.checkpoints.resume.empty()) session.restore(saved);
  const bool exhausted = crew.work(restored_parts<SleepPart>(
      options, saved, session, [&] { return std::make_unique<SleepPart>(options); }));
  return session.finish(exhausted);
}

}  // namespace mazurka
