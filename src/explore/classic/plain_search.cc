#include "explore/classic/plain_search.h"

#include <algorithm>

#include "explore/engine/crew.h"

namespace mazurka {
namespace {

// The path from the initial state to where the search stands, with the choices that are left at
// each state on it. The next plan is the path itself, so memory grows with depth only.
class Path {
 public:
  explicit Path(const SearchOptions& options) {
    plan_.limits = options.limits;
    plan_.rule = options.rule;
  }

  const Plan& plan() const { return plan_; }
  // How many of the next execution's transitions are old: all of the prefix but its last step.
  size_t known() const { return plan_.prefix.empty() ? 0 : plan_.prefix.size() - 1; }

  bool is_over() const { return is_over_; }

  // Follows an execution of the plan to its end.
  void extend(const Execution& execution) {
    const std::vector<Transition>& transitions = execution.transitions;
    const size_t planned = plan_.prefix.size();
    if (transitions.size() < planned) return;  // it broke off before anything new
    if (planned > 0) note(plan_.prefix[planned - 1], transitions[planned - 1]);
    for (size_t i = planned; i < transitions.size(); ++i) push(transitions[i]);
  }

  // The part of the tree that the path leads to: each branching shares it equally.
  double weight() const {
    double weight = 1;
    for (size_t i = 0; i < states_.size(); ++i) {
      const size_t end = i + 1 < states_.size() ? states_[i + 1].begin : choices_.size();
      weight /= static_cast<double>(end - states_[i].begin);
    }
    return weight;
  }

  // Goes back to the deepest state with a choice left, and takes it.
  void backtrack() {
    while (states_.size() > kept_) {
      State& state = states_.back();
      if (++state.taken < choices_.size()) {
        plan_.prefix.back() = {choices_[state.taken], OpKind::None, {}, kNoObject};
        return;
      }
      choices_.resize(state.begin);
      states_.pop_back();
      plan_.prefix.pop_back();
    }
    is_over_ = true;
  }

  void save(ByteWriter& out) const {
    out.put_all(plan_.prefix);
    out.put_all(states_);
    out.put_all(choices_);
    out.put(static_cast<uint64_t>(kept_));
    out.put(is_over_);
  }
  void restore(ByteReader& in) {
    plan_.prefix = in.get_all<PlannedStep>();
    states_ = in.get_all<State>();
    choices_ = in.get_all<Choice>();
    kept_ = in.get<uint64_t>();
    is_over_ = in.get<bool>();
    const bool is_whole = plan_.prefix.size() == states_.size() && kept_ <= states_.size() &&
                          std::all_of(states_.begin(), states_.end(), [&](const State& state) {
                            return state.begin <= state.taken && state.taken < choices_.size();
                          });
    if (!is_whole) in.fail();
  }

  // Gives away all choices that are left at the first state that has any but the one it stands at.
  bool split(Path& out) {
    for (size_t i = kept_; i < states_.size(); ++i) {
      const size_t end = i + 1 < states_.size() ? states_[i + 1].begin : choices_.size();
      if (states_[i].taken + 1 >= end) continue;
      out = *this;
      out.states_.resize(i + 1);
      out.choices_.resize(end);
      out.plan_.prefix.resize(i + 1);
      out.kept_ = i;
      out.backtrack();
      kept_ = i + 1;
      return true;
    }
    return false;
  }

 private:
  // A state's choices are choices_[begin..], up to the next state's. The deepest state's end at the
  // end of choices_, and only that one is ever asked.
  struct State {
    size_t begin = 0;
    size_t taken = 0;  // in choices_
  };

  static void note(PlannedStep& step, const Transition& transition) {
    step = {transition.choice, transition.op.kind, {}, transition.op.object};
  }

  void push(const Transition& transition) {
    const size_t begin = choices_.size();
    choices_.push_back(transition.choice);  // first, whichever the program took
    for (const Choice& choice : transition.enabled) {
      if (choice != transition.choice) choices_.push_back(choice);
    }
    states_.push_back({begin, begin});
    note(plan_.prefix.emplace_back(), transition);
  }

  Plan plan_;
  std::vector<State> states_;  // one for each step of the plan's prefix
  std::vector<Choice> choices_;
  size_t kept_ = 0;  // the choices of the first states are others' work
  bool is_over_ = false;
};

class PlainPart : public Part {
 public:
  explicit PlainPart(const SearchOptions& options) : path_(options) {}

  void plan(size_t, Round& round) override {
    if (!path_.is_over()) round.add(path_.known()) = path_.plan();
  }

  bool take(const Round&, size_t, const Execution& execution, Session& session) override {
    path_.extend(execution);
    session.note_done(path_.weight());
    path_.backtrack();
    return true;
  }

  void save(ByteWriter& out) const override { path_.save(out); }
  void restore(ByteReader& in) { path_.restore(in); }

  std::unique_ptr<Part> split() override {
    auto part = std::make_unique<PlainPart>(SearchOptions());
    if (!path_.split(part->path_)) return nullptr;
    return part;
  }

 private:
  Path path_;
};

}  // namespace

Verdict plain_search(Program& program, const SearchOptions& options) {
  Session session(program, options);
  Crew crew(program, session, options);
  crew.save_shared_by([](ByteWriter&) {});
  ByteReader saved(options.checkpoints.resume);
  if (!options.checkpoints.resume.empty()) session.restore(saved);
  const bool exhausted = crew.work(restored_parts<PlainPart>(
      options, saved, session, [&] { return std::make_unique<PlainPart>(options); }));
  return session.finish(exhausted);
}

}  // namespace mazurka
