#include "lts/verify/replay.h"

#include <algorithm>

namespace mazurka::lts {
namespace {

using Locals = std::vector<uint32_t>;

class Replay {
 public:
  Replay(const Network& system, const Tester& tester)
      : system_(system), tester_(tester), alphabets_(1, tester.visible), ltss_(1, &tester.lts) {
    alphabets_[0].push_back(kTauT);
    for (const Process& process : system.processes) {
      alphabets_.push_back(process.alphabet);
      ltss_.push_back(&process.lts);
    }
    for (const ExplicitLts* lts : ltss_) locals_.push_back(static_cast<uint32_t>(lts->initial()));
  }

  bool run(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (!can_take(step)) return false;
      locals_ = step.locals;
    }
    return true;
  }

  const Locals& locals() const { return locals_; }
  bool is_in(uint8_t set) const { return (tester_.sets[locals_[0]] & set) != 0; }

  // next((P_T || P_S)+, s) is empty.
  bool is_stuck() const {
    for (size_t c = 0; c < ltss_.size(); ++c) {
      for (const Edge& edge : ltss_[c]->edges(locals_[c])) {
        if (edge.action == kTau || all_can(edge.action)) return false;
      }
    }
    return true;
  }

 private:
  bool takes_part(size_t c, ActionId action) const {
    const std::vector<ActionId>& alphabet = alphabets_[c];
    return std::find(alphabet.begin(), alphabet.end(), action) != alphabet.end();
  }

  bool all_can(ActionId action) const {
    for (size_t c = 0; c < ltss_.size(); ++c) {
      if (takes_part(c, action) && ltss_[c]->edges(locals_[c], action).empty()) return false;
    }
    return true;
  }

  // Definition 3, and somebody takes part.
  bool synchronised(ActionId action, const Locals& after) const {
    bool somebody = false;
    for (size_t c = 0; c < ltss_.size(); ++c) {
      const bool part = takes_part(c, action);
      if (part ? !ltss_[c]->has(locals_[c], {action, after[c]}) : after[c] != locals_[c]) {
        return false;
      }
      somebody = somebody || part;
    }
    return somebody;
  }

  // One process alone makes an internal step.
  bool internal(const Locals& after) const {
    for (size_t c = 1; c < ltss_.size(); ++c) {
      if (!ltss_[c]->has(locals_[c], {kTau, after[c]})) continue;
      Locals expected = locals_;
      expected[c] = after[c];
      if (expected == after) return true;
    }
    return false;
  }

  bool can_take(const Step& step) const {
    if (step.locals.size() != locals_.size()) return false;
    for (size_t c = 0; c < ltss_.size(); ++c) {
      if (step.locals[c] >= ltss_[c]->state_count()) return false;
    }
    if (step.action != kTau) {
      return !system_.hides(step.action) && synchronised(step.action, step.locals);
    }
    return internal(step.locals) ||
           std::any_of(system_.hidden.begin(), system_.hidden.end(),
                       [&](ActionId action) { return synchronised(action, step.locals); });
  }

  const Network& system_;
  const Tester& tester_;
  std::vector<std::vector<ActionId>> alphabets_;  // the tester's, then the processes'
  std::vector<const ExplicitLts*> ltss_;
  Locals locals_;
};

bool is_visible(const Tester& tester, ActionId action) {
  return std::find(tester.visible.begin(), tester.visible.end(), action) != tester.visible.end();
}

}  // namespace

bool replays(const Violation& violation, const Network& system, const Tester& tester) {
  Replay replay(system, tester);
  if (!replay.run(violation.prefix)) return false;
  if (violation.kind == ViolationKind::IllegalFiniteTrace) return replay.is_in(kReject);
  if (violation.kind == ViolationKind::IllegalStableFailure) {
    return replay.is_in(kDeadlock) && replay.is_stuck();
  }
  const Locals entry = replay.locals();
  const bool livelock = replay.is_in(kLivelock);
  if (violation.loop.empty() || !replay.run(violation.loop) || replay.locals() != entry) {
    return false;
  }
  const std::vector<Step>& loop = violation.loop;
  if (violation.kind == ViolationKind::IllegalDivergenceTrace) {
    return livelock && std::none_of(loop.begin(), loop.end(), [&](const Step& step) {
             return step.action == kTauT || is_visible(tester, step.action);
           });
  }
  return std::any_of(loop.begin(), loop.end(),
                     [&](const Step& step) { return is_visible(tester, step.action); }) &&
         std::any_of(loop.begin(), loop.end(), [&](const Step& step) {
           return (tester.sets[step.locals[0]] & kInfinite) != 0;
         });
}

}  // namespace mazurka::lts
