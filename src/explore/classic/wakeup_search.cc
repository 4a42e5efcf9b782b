#include "explore/classic/wakeup_search.h"

#include <algorithm>
#include <set>
#include <utility>

#include "explore/classic/wakeup_tree.h"
#include "explore/engine/crew.h"

namespace mazurka {
namespace {

uint64_t size_of(const Configuration& set) {
  uint64_t size = 0;
  for (uint32_t count : set) size += count;
  return size;
}

bool is_within(const Configuration& small, const Configuration& large) {
  for (size_t s = 0; s < small.size(); ++s) {
    if (small[s] > large[s]) return false;
  }
  return true;
}

bool same_label(const Label& a, const Label& b) {
  const auto same = [](const Access& x, const Access& y) {
    return x.resource == y.resource && x.mode == y.mode;
  };
  return a.choice == b.choice && std::equal(a.accesses.begin(), a.accesses.end(),
                                            b.accesses.begin(), b.accesses.end(), same);
}

// It inserts wherever in the tree a race calls for it, so it cannot be split.
class WakeupPart : public Part {
 public:
  explicit WakeupPart(const Limits& limits) : limits_(limits) {}

  void plan(size_t most, Round& round) override;
  bool take(const Round& round, size_t i, const Execution& execution, Session& session) override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in);
  std::unique_ptr<Part> split() override { return nullptr; }

 private:
  void insert_races();
  void insert_races_of(uint32_t event, uint32_t slot, uint32_t count);
  std::vector<Configuration> sets_for(uint32_t event, uint32_t slot, uint32_t count);
  void add_smaller(const Configuration& set, uint32_t event, uint32_t slot, uint32_t count,
                   std::set<Configuration>& seen, std::vector<Configuration>& sets);
  void insert(uint32_t event, const Configuration& set, const Label& label, const Operation& op);
  bool depends(uint32_t event, const Label& label) const;
  WakeupStep step_of(uint32_t event) const;

  Limits limits_;
  WakeupTree tree_;
  bool all_dependent_ = false;
  HappensBefore order_;
  Replica replica_;
  StopWatch watch_;
  std::vector<uint32_t> nodes_;  // before each event
};

void WakeupPart::plan(size_t, Round& round) {
  if (tree_.is_done()) return;
  const uint32_t leaf = tree_.next_pending();
  Plan& plan = round.add(tree_.known(leaf));
  plan = Plan();
  plan.limits = limits_;
  for (const uint32_t node : tree_.path_to(leaf)) plan.prefix.push_back(tree_.step(node));
}

bool WakeupPart::take(const Round& round, size_t i, const Execution& execution, Session& session) {
  watch_ = StopWatch(session.stop());
  const uint32_t leaf = tree_.take_pending();
  nodes_ = tree_.path_to(leaf);
  nodes_.insert(nodes_.begin(), WakeupTree::kRoot);
  const size_t planned = round.plan(i).prefix.size();
  if (execution.transitions.size() < planned) {
    session.set_done(tree_.share_done());
    return true;
  }
  if (!all_dependent_ && waits_for_others(execution)) {
    all_dependent_ = true;
    tree_ = WakeupTree();
    session.start_again();
    return true;
  }
  order_.read(execution, all_dependent_);
  replica_.read(order_, limits_.bound);
  for (auto event = static_cast<uint32_t>(planned); event < order_.size(); ++event) {
    nodes_.push_back(tree_.append(nodes_.back(), step_of(event)));
  }
  insert_races();
  if (watch_.is_overdue()) return false;
  if (!replica_.is_faithful()) session.leave_out({WhyIncomplete::ModelsNotFollowed});
  session.set_done(tree_.share_done());
  return true;
}

void WakeupPart::save(ByteWriter& out) const {
  tree_.save(out);
  out.put(all_dependent_);
}

void WakeupPart::restore(ByteReader& in) {
  tree_.restore(in);
  all_dependent_ = in.get<bool>();
}

WakeupStep WakeupPart::step_of(uint32_t event) const {
  const Transition& made = order_.transition(event);
  return {{made.choice, made.accesses, order_.touches_everything(event),
           AccessMask::of(made.accesses.data(), made.accesses.size())},
          {made.choice, made.op.kind, {}, made.op.object}};
}

bool WakeupPart::depends(uint32_t event, const Label& label) const {
  return order_.transition(event).choice.thread == label.choice.thread ||
         label.touches_everything || all_dependent_ ||
         order_.conflicts(event, label.accesses.data(),
                          static_cast<uint32_t>(label.accesses.size()));
}

// Of each event with each operation that could have come first: not those that happen after the
// event, but also those that happened beside it and could have gone otherwise.
void WakeupPart::insert_races() {
  Configuration not_after;
  for (uint32_t event = 0; event < order_.size(); ++event) {
    replica_.go_to_prefix(event);
    order_.without_future(event, not_after);
    for (uint32_t slot = 0; slot < order_.thread_count(); ++slot) {
      for (uint32_t count = 0; count <= not_after[slot]; ++count) {
        if (watch_.is_overdue()) return;
        const bool executed = count < order_.length(slot);
        if (executed && order_.event(slot, count) < event) continue;
        if (replica_.operation(slot, count) != nullptr) insert_races_of(event, slot, count);
      }
    }
  }
}

void WakeupPart::insert_races_of(uint32_t event, uint32_t slot, uint32_t count) {
  std::vector<std::pair<Configuration, Label>> done;
  const Operation& op = *replica_.operation(slot, count);
  for (const Configuration& set : sets_for(event, slot, count)) {
    if (watch_.is_overdue()) return;
    replica_.go_to(set);
    const std::vector<Outcome> outcomes = replica_.enabled(slot);
    for (Outcome outcome : outcomes) {
      Label label;
      replica_.label(slot, outcome, label);
      if (!depends(event, label) || label.choice == order_.transition(event).choice) continue;
      const bool larger = std::any_of(done.begin(), done.end(), [&](const auto& other) {
        return same_label(other.second, label) && is_within(set, other.first);
      });
      if (larger) continue;
      done.emplace_back(set, label);
      insert(event, set, label, op);
    }
  }
}

// The sets without what happens after the event (or after the operation itself), with what came
// before it, that the operation can tell from each other: largest first.
std::vector<Configuration> WakeupPart::sets_for(uint32_t event, uint32_t slot, uint32_t count) {
  Configuration largest;
  order_.without_future(event, largest);
  if (count < order_.length(slot)) {
    Configuration others;
    order_.without_future(order_.event(slot, count), others);
    for (size_t s = 0; s < largest.size(); ++s) largest[s] = std::min(largest[s], others[s]);
  }
  std::vector<Configuration> sets;
  if (largest[slot] != count) return sets;
  std::set<Configuration> seen{largest};
  sets.push_back(largest);
  for (size_t i = 0; i < sets.size() && !watch_.is_overdue(); ++i) {
    add_smaller(Configuration(sets[i]), event, slot, count, seen, sets);
  }
  std::stable_sort(sets.begin(), sets.end(), [](const Configuration& a, const Configuration& b) {
    return size_of(a) > size_of(b);
  });
  return sets;
}

void WakeupPart::add_smaller(const Configuration& set, uint32_t event, uint32_t slot,
                             uint32_t count, std::set<Configuration>& seen,
                             std::vector<Configuration>& sets) {
  replica_.go_to(set);
  // A thread that was killed could come first of whatever did it.
  const bool stands = replica_.stands(slot);
  Label possible;
  if (stands) replica_.possible_label(slot, possible);
  for (uint32_t i = event + 1; i < order_.size(); ++i) {
    if (!order_.contains(set, i) || (stands && !depends(i, possible))) continue;
    Configuration smaller;
    order_.without_future(i, smaller);
    for (size_t s = 0; s < smaller.size(); ++s) smaller[s] = std::min(smaller[s], set[s]);
    if (smaller[slot] == count && seen.insert(smaller).second) sets.push_back(smaller);
  }
}

void WakeupPart::insert(uint32_t event, const Configuration& set, const Label& label,
                        const Operation& op) {
  std::vector<WakeupStep> sequence;
  for (uint32_t i = event; i < order_.size(); ++i) {
    if (order_.contains(set, i)) sequence.push_back(step_of(i));
  }
  sequence.push_back({label, {label.choice, op.kind, {}, op.object}});
  tree_.insert(nodes_[event], std::move(sequence), all_dependent_);
}

}  // namespace

Verdict wakeup_search(Program& program, const SearchOptions& options) {
  return search_alone<WakeupPart>(program, options,
                                  [&] { return std::make_unique<WakeupPart>(options.limits); });
}

}  // namespace mazurka
