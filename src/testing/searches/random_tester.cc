#include "testing/searches/random_tester.h"

#include <algorithm>
#include <random>

namespace mazurka {
namespace {

std::string state_name(int state) {
  std::string name = "s";
  name += std::to_string(state);
  return name;
}

std::string quoted(const std::string& name) {
  std::string text = "\"";
  text += name;
  text += "\"";
  return text;
}

// --- the tester, by the book

std::set<int> with_own_steps(const RandomTester& tester, std::set<int> states) {
  for (size_t before = 0; before != states.size();) {
    before = states.size();
    for (const RandomTester::Step& step : tester.steps) {
      if (step.event == "tau_T" && states.count(step.source) > 0) states.insert(step.target);
    }
  }
  return states;
}

std::set<int> after(const RandomTester& tester, const std::set<int>& states,
                    const std::string& event) {
  std::set<int> next;
  for (const RandomTester::Step& step : tester.steps) {
    if (step.event == event && states.count(step.source) > 0) next.insert(step.target);
  }
  return with_own_steps(tester, next);
}

bool follows(const RandomTester& tester, int state, const std::string& event) {
  return std::any_of(tester.steps.begin(), tester.steps.end(), [&](const RandomTester::Step& step) {
    return step.source == state && step.event == event;
  });
}

// --- every interleaving

class EveryState {
 public:
  EveryState(const Script& script, const RandomTester& tester, uint32_t bound)
      : program_(script), tester_(tester) {
    plan_.limits.bound = bound;
  }

  std::set<Violation> violations;
  uint64_t executions = 0;

  void visit(const std::set<int>& states, uint64_t most) {
    if (executions > most) return;
    Execution here;
    run(here);
    const size_t length = plan_.prefix.size();
    if (here.transitions.size() == length) {
      ++executions;
      if (here.end == End::Finished || here.end == End::Deadlock) note_failures(states, {});
      return;
    }
    const std::vector<Choice> enabled = here.transitions[length].enabled;
    note_failures_in(states, here, enabled);
    for (const Choice choice : enabled) {
      const Operation op = pending(here, length, choice.thread);
      plan_.prefix.push_back({choice, OpKind::None, {}, kNoObject});
      visit(is_visible(op) ? move(states, op, choice.thread) : states, most);
      plan_.prefix.pop_back();
    }
  }

  void note_rejects(const std::set<int>& before, const std::set<int>& now,
                    const std::vector<Standpoint>& where) {
    for (const int state : now) {
      if (before.count(state) > 0 || tester_.reject.count(state) == 0) continue;
      violations.insert({lts::ViolationKind::IllegalFiniteTrace, state_name(state), where});
    }
  }

 private:
  void run(Execution& out) { MAZURKA_CHECK(program_.run(plan_, out).ok()); }

  std::string name(const Operation& op) const { return program_.object_name(op.object); }
  bool is_visible(const Operation& op) const {
    return op.kind == OpKind::Event && std::count(tester_.visible.begin(), tester_.visible.end(),
                                                  program_.object_name(op.object)) > 0;
  }

  static Operation pending(const Execution& execution, size_t from, ThreadId thread) {
    for (size_t i = from; i < execution.transitions.size(); ++i) {
      if (execution.transitions[i].choice.thread == thread) return execution.transitions[i].op;
    }
    for (const ThreadAtEnd& end : execution.threads) {
      if (end.id == thread) return end.pending;
    }
    return {};
  }

  std::set<int> move(const std::set<int>& states, const Operation& op, ThreadId thread) {
    std::set<int> next = after(tester_, states, name(op));
    note_rejects(states, next, {{thread, 0, op.object}});
    return next;
  }

  // Cut at this very state, an execution says who stands where.
  Execution cut_here() {
    Plan plan = plan_;
    plan.limits.depth = static_cast<uint32_t>(plan.prefix.size());
    Execution here;
    MAZURKA_CHECK(program_.run(plan, here).ok());
    return here;
  }

  void note_failures_in(const std::set<int>& states, const Execution& here,
                        const std::vector<Choice>& enabled) {
    std::vector<std::string> offers;
    for (const Choice choice : enabled) {
      const Operation op = pending(here, plan_.prefix.size(), choice.thread);
      if (!is_visible(op)) return;
      offers.push_back(name(op));
    }
    note_failures(states, offers);
  }

  void note_failures(const std::set<int>& states, const std::vector<std::string>& offers) {
    for (const int state : states) {
      if (tester_.deadlock.count(state) == 0) continue;
      const bool goes_on = std::any_of(offers.begin(), offers.end(), [&](const std::string& offer) {
        return follows(tester_, state, offer);
      });
      if (!goes_on) note_failure(state);
    }
  }

  void note_failure(int state) {
    const Execution here = cut_here();
    std::vector<Standpoint> where;
    for (const ThreadAtEnd& thread : here.threads) {
      if (thread.status != ThreadStatus::AtOperation) continue;
      if (is_at_bound(thread.id)) return;
      for (const OpPart& part : thread.parts) where.push_back({thread.id, 0, part.object});
      if (thread.parts.empty()) where.push_back({thread.id, 0, thread.pending.object});
    }
    std::sort(where.begin(), where.end());
    where.erase(std::unique(where.begin(), where.end()), where.end());
    violations.insert({lts::ViolationKind::IllegalStableFailure, state_name(state), where});
  }

  bool is_at_bound(ThreadId thread) const {
    const auto made = std::count_if(plan_.prefix.begin(), plan_.prefix.end(),
                                    [&](const auto& step) { return step.choice.thread == thread; });
    return plan_.limits.bound != 0 && made >= static_cast<int64_t>(plan_.limits.bound);
  }

  ScriptedProgram program_;
  const RandomTester& tester_;
  Plan plan_;
};

}  // namespace

std::string RandomTester::text() const {
  std::string text = "tester random\nvisible";
  for (const std::string& event : visible) text += " " + quoted(event);
  text += "\ninitial s0\n";
  for (const Step& step : steps) {
    text += state_name(step.source) + " -" + quoted(step.event) + "-> " + state_name(step.target);
    text += "\n";
  }
  std::set<int> known{0};  // a set may name no others
  for (const Step& step : steps) known.insert({step.source, step.target});
  for (const auto& [word, set] : {std::pair("reject", reject), std::pair("deadlock", deadlock)}) {
    text += word;
    for (const int state : set) {
      if (known.contains(state)) text += " " + state_name(state);
    }
    text += "\n";
  }
  return text;
}

RandomTester random_tester(uint64_t seed, const std::vector<std::string>& events) {
  std::mt19937_64 dice(seed);
  const auto below = [&dice](size_t n) { return static_cast<int>(dice() % n); };
  RandomTester made;
  made.states = 1 + below(4);
  for (const std::string& event : events) {
    if (below(4) != 0) made.visible.push_back(event);
  }
  const auto states = static_cast<size_t>(made.states);
  for (int state = 0; state < made.states; ++state) {
    if (below(5) == 0) made.reject.insert(state);
    if (below(2) == 0) made.deadlock.insert(state);
    for (const std::string& event : made.visible) {
      for (int left = below(3); left > 0; --left) {
        made.steps.push_back({state, event, below(states)});
      }
    }
    const bool may_step = made.deadlock.count(state) == 0 && state + 1 < made.states;
    if (may_step && below(2) == 0) made.steps.push_back({state, "tau_T", state + 1});
  }
  return made;
}

std::set<Violation> all_violations(const Script& script, const RandomTester& tester, uint32_t bound,
                                   uint64_t most, uint64_t& executions) {
  EveryState every(script, tester, bound);
  const std::set<int> initial = with_own_steps(tester, {0});
  every.note_rejects({}, initial, {});
  every.visit(initial, most);
  executions = every.executions;
  return every.violations;
}

}  // namespace mazurka
