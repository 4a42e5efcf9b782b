#include "explore/classic/sleep_path.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "explore/trace/happens_before.h"

namespace mazurka {

bool dependent(const PathStep& a, const PathStep& b) {
  if (a.planned.choice.thread == b.planned.choice.thread) return true;
  if (a.accesses_everything || b.accesses_everything) return true;
  return conflict(a.accesses.data(), static_cast<uint32_t>(a.accesses.size()), b.accesses.data(),
                  static_cast<uint32_t>(b.accesses.size()));
}

bool depends_on_all(const PathStep& step) {
  return step.accesses_everything ||
         std::any_of(step.accesses.begin(), step.accesses.end(), [](const Access& access) {
           return access.resource == moves_resource() && access.mode == Mode::Write;
         });
}

// --- a state

bool PathState::sleeps(Choice choice) const {
  return std::any_of(sleep.begin(), sleep.end(),
                     [choice](const auto& step) { return step->planned.choice == choice; });
}

bool PathState::is_enabled(ThreadId thread) const {
  return std::any_of(enabled.begin(), enabled.end(),
                     [thread](const Choice& choice) { return choice.thread == thread; });
}

bool PathState::was_awake(ThreadId thread) const { return awake_at_first(thread) > 0; }

bool PathState::is_selected(ThreadId thread) const {
  return std::find(selected.begin(), selected.end(), thread) != selected.end();
}

void PathState::select(ThreadId thread) {
  if (!is_selected(thread)) selected.push_back(thread);
}

void PathState::select_all() {
  for (const Choice& choice : enabled) select(choice.thread);
}

size_t PathState::awake_at_first(ThreadId thread) const {
  const auto end = sleep.begin() + static_cast<std::ptrdiff_t>(asleep_at_first);
  return static_cast<size_t>(
      std::count_if(enabled.begin(), enabled.end(), [&](const Choice& choice) {
        return choice.thread == thread && std::none_of(sleep.begin(), end, [&](const auto& step) {
                 return step->planned.choice == choice;
               });
      }));
}

void PathState::count_ways() {
  ways = threads = 0;
  for (const ThreadId thread : selected) {
    const size_t awake = awake_at_first(thread);
    ways += awake;
    if (awake > 0) ++threads;
  }
}

double PathState::expected_share(Choice choice) const {
  std::vector<ThreadId> before;
  for (size_t i = asleep_at_first; i < sleep.size(); ++i) {
    const ThreadId thread = sleep[i]->planned.choice.thread;
    if (thread == choice.thread) break;
    if (std::find(before.begin(), before.end(), thread) == before.end()) before.push_back(thread);
  }
  const bool is_last = before.size() + 1 >= threads;
  const auto halvings = static_cast<int>(before.size() + (is_last ? 0 : 1));
  const size_t outcomes = std::max<size_t>(awake_at_first(choice.thread), 1);
  return std::ldexp(1.0, -halvings) / static_cast<double>(outcomes);
}

// --- the path

SleepPath::SleepPath(const SearchOptions& options, std::vector<PlannedStep> root) {
  plan_.prefix = std::move(root);
  plan_.limits = options.limits;
  plan_.conditional = options.conditional;
  plan_.rule = options.rule;
}

namespace {

std::shared_ptr<const PathStep> step_of(const Execution& execution, size_t position) {
  const Transition& t = execution.transitions[position];
  const bool cut = position + 1 == execution.transitions.size() && is_cut_by_last(execution.end);
  return std::make_shared<PathStep>(
      PathStep{{t.choice, t.op.kind, {}, t.op.object}, t.accesses, t.accesses_everything || cut});
}

bool same_choices(const std::vector<Choice>& a, const std::vector<Choice>& b) {
  return a.size() == b.size() && std::is_permutation(a.begin(), a.end(), b.begin());
}

}  // namespace

Result<size_t> SleepPath::extend(const Execution& execution) {
  const size_t first_new = states_.size();
  if (plan_.conditional) {
    replay_.begin(execution);
    const size_t start = std::min(known(), execution.transitions.size());
    while (replay_.position() < start) replay_.step();
  }
  if (!states_.empty()) {
    if (Result<void> taken = take_planned(execution); !taken) return taken.error();
  }
  for (size_t i = first_new; i < execution.transitions.size(); ++i) {
    if (i > 0 && states_.back().taken == nullptr) break;
    push(execution, i);
  }
  return first_new;
}

Result<void> SleepPath::take_planned(const Execution& execution) {
  const size_t position = states_.size() - 1;
  PathState& state = states_.back();
  if (position < execution.transitions.size()) {
    const Transition& transition = execution.transitions[position];
    const bool free = position >= plan_.prefix.size();
    if (free && !same_choices(transition.enabled, state.enabled)) {
      return Error{"the same schedule led to a state with other enabled operations than before"};
    }
    if (transition.choice == next_) {
      state.taken = step_of(execution, position);
      return {};
    }
  }
  // It broke off before: a finding about the program, which the session has taken in. Not again.
  state.sleep.push_back(
      std::make_shared<PathStep>(PathStep{{next_, OpKind::None, {}, kNoObject}, {}, true}));
  state.taken = nullptr;
  return {};
}

void SleepPath::push(const Execution& execution, size_t position) {
  PathState state;
  state.enabled = execution.transitions[position].enabled;
  if (position > 0) {
    pass_sleep_on(states_.back(), state);
    if (plan_.conditional) replay_.step();
  }
  state.asleep_at_first = state.sleep.size();
  // Where the plan could not carry all that sleeps, the program may have taken what it should not.
  if (!state.sleeps(execution.transitions[position].choice))
    state.taken = step_of(execution, position);
  states_.push_back(std::move(state));
}

void SleepPath::pass_sleep_on(const PathState& from, PathState& to) {
  for (const auto& sleeping : from.sleep) {
    if (!wakes(*sleeping, *from.taken)) to.sleep.push_back(sleeping);
  }
}

bool SleepPath::wakes(const PathStep& sleeping, const PathStep& taken) const {
  if (!dependent(sleeping, taken)) return false;
  const Choice a = taken.planned.choice;
  const Choice b = sleeping.planned.choice;
  if (!plan_.conditional || a.thread == b.thread) return true;
  if (depends_on_all(sleeping) || depends_on_all(taken)) return true;
  const Operation* a_op = replay_.pending(a.thread);
  const Operation* b_op = replay_.pending(b.thread);
  MAZURKA_CHECK(a_op != nullptr && b_op != nullptr);
  return !commute_here(replay_.world(), a.thread, *a_op, a.outcome, b.thread, *b_op, b.outcome);
}

bool SleepPath::backtrack() {
  while (!states_.empty()) {
    PathState& state = states_.back();
    if (state.taken != nullptr) state.sleep.push_back(std::move(state.taken));
    state.taken = nullptr;
    if (const Choice* next = next_in(state)) {
      plan_next(state, *next);
      return true;
    }
    states_.pop_back();
  }
  return false;
}

const Choice* SleepPath::next_in(const PathState& state) const {
  for (const Choice& choice : state.enabled) {
    const bool is_taken = state.taken != nullptr && state.taken->planned.choice == choice;
    if (!is_taken && state.is_selected(choice.thread) && !state.sleeps(choice)) return &choice;
  }
  return nullptr;
}

// Not from the last state: what sleeps after its next step is not known before that was run.
bool SleepPath::split(SleepPath& out) {
  for (size_t i = 0; i + 1 < states_.size(); ++i) {
    if (next_in(states_[i]) == nullptr) continue;
    const auto begin = states_.begin();
    out.states_.assign(begin, begin + static_cast<std::ptrdiff_t>(i) + 1);
    for (size_t above = 0; above < i; ++above) out.states_[above].selected.clear();
    states_[i].selected.clear();
    return out.backtrack();
  }
  return false;
}

// --- how much is done

void SleepPath::count_ways(size_t first) {
  for (size_t i = first; i < states_.size(); ++i) states_[i].count_ways();
}

double SleepPath::finished_share() const {
  double share = 1;
  for (const PathState& state : states_) {
    if (state.taken != nullptr) {
      share *= state.expected_share(state.taken->planned.choice);
    } else if (state.sleep.size() > state.asleep_at_first) {  // it broke off
      share *= state.expected_share(state.sleep.back()->planned.choice);
    } else if (state.ways > 0) {
      return 0;  // it is all still to be explored
    }
  }
  return share;
}

double SleepPath::known_share_done() {
  if (states_.empty()) return 1;
  count_ways(0);
  double done = 0;
  double share = 1;
  for (const PathState& state : states_) {
    share /= static_cast<double>(std::max<size_t>(state.ways, 1));
    done += share * static_cast<double>(state.sleep.size() - state.asleep_at_first);
  }
  return done;
}

void SleepPath::plan_next(const PathState& state, Choice choice) {
  next_ = choice;
  plan_.prefix.clear();
  for (size_t i = 0; i + 1 < states_.size(); ++i) plan_.prefix.push_back(states_[i].taken->planned);
  plan_.sleep.clear();
  plan_.forced = kNoThread;
  plan_.blocks.clear();
  plan_.block_accesses.clear();
  for (const auto& step : state.sleep) {
    // What any step would wake need not be said, and the program could not know it.
    if (step->planned.choice.thread != choice.thread && depends_on_all(*step)) continue;
    plan_sleep(*step);
  }
  plan_.forced = choice.thread;
  if (can_carry(plan_)) return;
  // More than a plan carries, so nothing sleeps: slow, not wrong.
  plan_.sleep.clear();
  plan_.blocks.clear();
  plan_.block_accesses.clear();
  plan_.forced = kNoThread;
  plan_.prefix.push_back({choice, OpKind::None, {}, kNoObject});
}

void SleepPath::plan_sleep(const PathStep& step) {
  plan_.sleep.push_back(step.planned.choice);
  if (plan_.rule == nullptr || !plan_.rule->composed) return;
  PlanBlock& its = plan_.blocks.emplace_back();
  its.access_begin = static_cast<uint32_t>(plan_.block_accesses.size());
  its.access_count = static_cast<uint32_t>(step.accesses.size());
  plan_.block_accesses.insert(plan_.block_accesses.end(), step.accesses.begin(),
                              step.accesses.end());
}

void SleepPath::cut(size_t place) {
  states_.resize(place + 1);
  states_[place].taken = nullptr;
}

}  // namespace mazurka
