#include "testing/worlds/dependency_checker.h"

#include <algorithm>
#include <deque>
#include <set>

namespace mazurka {
namespace {

// D2 looks far from each situation, so only at some of each kind.
constexpr uint32_t kD2PerKind = 4;
constexpr size_t kD2States = 200;

bool covers(const Accesses& possible, const Access& access) {
  return std::any_of(possible.begin(), possible.end(), [&](const Access& p) {
    return p.resource == access.resource && (p.mode == Mode::Write || p.mode == access.mode);
  });
}

bool same_item(const Label& a, const Label& b) {
  return a.thread == b.thread && a.number == b.number;
}

bool same_label(const Label& a, const Label& b) {
  return same_item(a, b) && a.outcome == b.outcome;
}

}  // namespace

void real_accesses(const World& world, const Label& label, AccessList& out) {
  accesses(world, label.thread, label.item.op, label.outcome, out);
}

void DependencyChecker::violated(const std::string& what, const Label& a, const Label& b) {
  ++violations[case_name_ + ": " + what + ": " + a.item.name + " / " + b.item.name];
}

void DependencyChecker::check(const SmallWorldCase& chosen, bool stop_early) {
  if (stop_early && !violations.empty()) return;
  SmallWorld world(chosen);
  case_name_ = chosen.name;
  std::set<SmallWorld::View> seen{world.key()};
  std::deque<SmallWorld::Saved> open{world.save()};
  while (!open.empty() && !(stop_early && !violations.empty())) {
    const SmallWorld::Saved state = open.front();
    open.pop_front();
    ++counts.states;
    check_state(world, state);
    world.load(state);
    for (const Label& label : world.enabled_labels()) {
      world.load(state);
      world.take(label);
      if (!world.is_far() && seen.insert(world.key()).second) open.push_back(world.save());
    }
  }
}

std::vector<DependencyChecker::First> DependencyChecker::try_all(
    SmallWorld& world, const SmallWorld::Saved& state) const {
  std::vector<First> all;
  world.load(state);
  for (const Label& label : world.enabled_labels()) {
    world.load(state);
    First first{label, world.accesses_of(label, accesses_), {}, {}};
    first.effect = world.take(label);
    first.after = world.save();
    all.push_back(std::move(first));
  }
  return all;
}

DependencyChecker::Second DependencyChecker::try_after(SmallWorld& world, const First& first,
                                                       const Label& second) const {
  Second result;
  world.load(first.after);
  if (!world.is_enabled(second)) return result;
  result.enabled = true;
  result.accesses = world.accesses_of(second, accesses_);
  result.effect = world.take(second);
  result.view = world.view(true);
  result.view_without_clocks = world.view(false);
  return result;
}

void DependencyChecker::check_state(SmallWorld& world, const SmallWorld::Saved& state) {
  const std::vector<First> all = try_all(world, state);
  for (size_t i = 0; i < all.size(); ++i) {
    world.load(state);
    check_possible(world, all[i]);
    check_after(world, all, all[i]);
    check_d3(world, all, all[i]);
    for (size_t j = 0; j < i; ++j) {
      if (all[i].label.thread == all[j].label.thread) continue;
      const Second second_j = try_after(world, all[i], all[j].label);
      const Second second_i = try_after(world, all[j], all[i].label);
      check_pair(world, state, {all[i], all[j], second_j, second_i});
    }
  }
}

void DependencyChecker::check_pair(SmallWorld& world, const SmallWorld::Saved& state,
                                   const Pair& pair) {
  if (dependent(pair.a.accesses, pair.b.accesses)) {
    check_dependent(world, state, pair);
  } else {
    check_independent(pair);
  }
}

void DependencyChecker::check_independent(const Pair& pair) {
  ++counts.independent;
  const Label& a = pair.a.label;
  const Label& b = pair.b.label;
  if (!pair.b_after_a.enabled) return violated("disables", a, b);
  if (!pair.a_after_b.enabled) return violated("disables", b, a);
  if (!same(pair.b_after_a.effect, pair.b.effect)) return violated("changes the result of", a, b);
  if (!same(pair.a_after_b.effect, pair.a.effect)) return violated("changes the result of", b, a);
  if (!same(pair.b_after_a.accesses, pair.b.accesses)) {
    return violated("changes the accesses of", a, b);
  }
  if (!same(pair.a_after_b.accesses, pair.a.accesses)) {
    return violated("changes the accesses of", b, a);
  }
  if (pair.b_after_a.view != pair.a_after_b.view) violated("does not commute with", a, b);
}

void DependencyChecker::check_dependent(SmallWorld& world, const SmallWorld::Saved& state,
                                        const Pair& pair) {
  ++counts.dependent;
  const Label& a = pair.a.label;
  const Label& b = pair.b.label;
  const bool commute = pair.b_after_a.enabled && pair.a_after_b.enabled &&
                       same(pair.b_after_a.effect, pair.b.effect) &&
                       same(pair.a_after_b.effect, pair.a.effect) &&
                       pair.b_after_a.view_without_clocks == pair.a_after_b.view_without_clocks;
  Lost& entry = lost[std::minmax(std::string_view(a.item.name), std::string_view(b.item.name))];
  ++entry.dependent;
  entry.commute += commute;
  world.load(state);
  const bool said =
      commute_here(world.world(), a.thread, a.item.op, a.outcome, b.thread, b.item.op, b.outcome);
  counts.conditional += said;
  entry.known += said;
  if (said && !commute) violated("does not commute here with", a, b);
  check_d2(world, state, pair.a, pair.b);
  check_d2(world, state, pair.b, pair.a);
}

void DependencyChecker::check_possible(SmallWorld& world, const First& first) {
  const auto possible_function = [](const World& w, const Label& label, AccessList& out) {
    possible_accesses(w, label.thread, label.item.op, out);
  };
  const Accesses possible = world.accesses_of(first.label, possible_function);
  for (const Access& access : world.accesses_of(first.label, real_accesses)) {
    if (!covers(possible, access))
      return violated("does what is not possible", first.label, first.label);
  }
}

void DependencyChecker::check_after(SmallWorld& world, const std::vector<First>& all,
                                    const First& a) {
  world.load(a.after);
  for (const Label& label : world.enabled_labels()) {
    // A thread that has just been created stands nowhere before.
    if (label.thread == a.label.thread) continue;
    bool was_enabled = false;
    bool was_dependent = false;
    for (const First& b : all) {
      if (!same_item(b.label, label)) continue;
      was_enabled = was_enabled || same_label(b.label, label);
      was_dependent = was_dependent || dependent(a.accesses, b.accesses);
    }
    const bool depends = dependent(a.accesses, world.accesses_of(label, accesses_));
    if (!was_enabled && !depends) violated("enables", a.label, label);
    if (!was_dependent) continue;
    ++counts.d1;
    if (!depends) violated("D1", a.label, label);
  }
}

void DependencyChecker::check_d3(SmallWorld& world, const std::vector<First>& all, const First& a) {
  for (const First& b : all) {
    if (b.label.thread == a.label.thread || dependent(a.accesses, b.accesses)) continue;
    world.load(a.after);
    const std::vector<Outcome> after = world.outcomes(b.label.thread, b.label.item);
    const auto before = std::count_if(all.begin(), all.end(), [&](const First& other) {
      return same_item(other.label, b.label);
    });
    // None has been replaced by another: then a would have disabled it.
    ++counts.d3;
    if (after.size() == static_cast<size_t>(before)) continue;
    ++d3_violations[std::string(a.label.item.name) + " / " + b.label.item.name];
  }
}

void DependencyChecker::check_d2(SmallWorld& world, const SmallWorld::Saved& state, const First& a,
                                 const First& b) {
  world.load(b.after);
  const bool alive = world.world().thread(a.label.thread).status == ThreadStatus::AtOperation;
  if (!alive || !world.outcomes(a.label.thread, a.label.item).empty()) return;
  if (++d2_tried_[case_name_ + "/" + a.label.item.name + "/" + b.label.item.name] > kD2PerKind)
    return;
  ++counts.d2;
  world.load(state);
  std::set<SmallWorld::View> seen{world.key()};
  std::deque<SmallWorld::Saved> open{state};
  while (!open.empty() && seen.size() < kD2States) {
    const SmallWorld::Saved here = open.front();
    open.pop_front();
    world.load(here);
    for (const Label& d : world.enabled_labels()) {
      if (d.thread == a.label.thread) continue;
      world.load(here);
      const Accesses accesses = world.accesses_of(d, accesses_);
      if (!dependent(accesses, a.accesses)) {
        world.take(d);
        if (!world.is_far() && seen.insert(world.key()).second) open.push_back(world.save());
      } else if (d.thread != b.label.thread && !dependent(accesses, b.accesses)) {
        ++d2_violations[{a.label.item.op.kind, b.label.item.op.kind, d.item.op.kind}];
        return;
      }
    }
  }
}

}  // namespace mazurka
