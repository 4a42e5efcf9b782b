#include "sim/passing/passing_run.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "explore/trace/happens_before.h"

namespace mazurka {
namespace {

constexpr size_t kMostCandidates = 40;  // passing runs that are compared

// A step by its thread and how many that had made before; and by what it does, because after a
// difference a thread may do something else.
using StepKey = std::tuple<ThreadId, uint32_t, OpKind, ObjectId>;

std::vector<StepKey> keys_of(const Execution& execution, uint32_t length) {
  std::map<ThreadId, uint32_t> made;
  std::vector<StepKey> keys;
  for (uint32_t i = 0; i < length; ++i) {
    const Transition& step = execution.transitions[i];
    keys.emplace_back(step.choice.thread, made[step.choice.thread]++, step.op.kind, step.op.object);
  }
  return keys;
}

class PassingSearch {
 public:
  PassingSearch(Program& program, const Limits& limits, SightingReader& reader,
                const Execution& failing, uint32_t length, MinimizeBudget& budget)
      : program_(program),
        limits_(limits),
        reader_(reader),
        failing_(failing),
        length_(length),
        schedule_(schedule_of(failing, length)),
        budget_(budget) {}

  PassingRun from_the_end() {
    for (uint32_t i = length_; i-- > 0;) {
      look_from(i);
      if (has_passing()) {
        result_.critical = i;
        return std::move(result_);
      }
      if (has_given_up_) return std::move(result_);
    }
    result_.is_doomed = true;
    return std::move(result_);
  }

  PassingRun from(uint32_t critical) {
    result_.critical = critical;
    look_from(critical);
    return std::move(result_);
  }

 private:
  bool has_passing() const { return candidates_ > 0; }

  // All that can follow the first `place` steps, but what begins with the failing run's next one:
  // that is known to fail.
  void look_from(uint32_t place) {
    const auto begin = schedule_.begin();
    open_.assign(1, {begin, begin + static_cast<std::ptrdiff_t>(place)});
    while (!open_.empty() && candidates_ < kMostCandidates) {
      const std::vector<PlannedStep> prefix = std::move(open_.back());
      open_.pop_back();
      if (!budget_.take()) {
        has_given_up_ = true;
        return;
      }
      ++result_.tried;
      Plan plan;
      plan.prefix = prefix;
      plan.limits = limits_;
      Execution execution;
      if (!program_.run(plan, execution) || execution.transitions.size() < prefix.size()) {
        has_given_up_ = true;
        return;
      }
      budget_.note(execution);
      const bool is_clean = reader_.read(execution).empty();
      if (is_clean && execution.end != End::Finished) has_given_up_ = true;  // cut at a bound
      if (is_clean && execution.end == End::Finished) offer(execution);
      add_others(execution, static_cast<uint32_t>(prefix.size()), place);
    }
  }

  void add_others(const Execution& execution, uint32_t first, uint32_t root) {
    const std::vector<Transition>& made = execution.transitions;
    const Choice doomed = schedule_[root].choice;
    const std::vector<PlannedStep> steps =
        schedule_of(execution, static_cast<uint32_t>(made.size()));
    // Those with the latest differences are tried first: they are at the back.
    for (uint32_t i = first; i < made.size(); ++i) {
      if (i == root + 1 && made[root].choice == doomed) return;
      for (const Choice& choice : made[i].enabled) {
        if (choice == made[i].choice || (i == root && choice == doomed)) continue;
        auto& prefix = open_.emplace_back(steps.begin(), steps.begin() + i);
        prefix.push_back({choice, OpKind::None, {}, kNoObject});
      }
    }
  }

  // The first execution goes on with the failing step itself, if that is the first choice: then it
  // fails, and only its other choices count.
  void offer(const Execution& execution) {
    ++candidates_;
    std::vector<RunDifference> differences = differences_between(execution, failing_, length_);
    if (!result_.schedule.empty() && differences.size() >= result_.differences.size()) return;
    result_.differences = std::move(differences);
    result_.schedule = schedule_of(execution, static_cast<uint32_t>(execution.transitions.size()));
  }

  Program& program_;
  const Limits& limits_;
  SightingReader& reader_;
  const Execution& failing_;
  const uint32_t length_;
  const std::vector<PlannedStep> schedule_;
  MinimizeBudget& budget_;
  std::vector<std::vector<PlannedStep>> open_;
  size_t candidates_ = 0;
  bool has_given_up_ = false;
  PassingRun result_;
};

}  // namespace

std::vector<RunDifference> differences_between(const Execution& passing, const Execution& failing,
                                               uint32_t length) {
  const auto all = static_cast<uint32_t>(passing.transitions.size());
  const std::vector<StepKey> there = keys_of(passing, all);
  std::map<StepKey, uint32_t> here;
  const std::vector<StepKey> keys = keys_of(failing, length);
  for (uint32_t i = 0; i < length; ++i) here[keys[i]] = i;
  std::vector<RunDifference> differences;
  HappensBefore order;
  order.read(passing);
  for (uint32_t i = 0; i < all; ++i) {
    const auto same = here.find(there[i]);
    if (same != here.end() &&
        failing.transitions[same->second].choice.outcome != passing.transitions[i].choice.outcome)
      differences.push_back({RunDifference::Kind::OtherOutcome, i, i, same->second, same->second});
    order.each_successor(i, [&](uint32_t j) {
      if (std::get<0>(there[i]) == std::get<0>(there[j]) || !order.is_immediate(i, j)) return;
      const auto second = here.find(there[j]);
      if (second == here.end()) return;  // the failing run does not come to it
      if (same != here.end() && same->second < second->second) return;
      std::optional<uint32_t> first;
      if (same != here.end()) first = same->second;
      differences.push_back({RunDifference::Kind::OtherOrder, i, j, first, second->second});
    });
  }
  return differences;
}

PassingRun nearest_passing_run(Program& program, const Limits& limits, SightingReader& reader,
                               const Execution& failing, uint32_t length,
                               std::optional<uint32_t> critical, MinimizeBudget& budget) {
  PassingSearch search(program, limits, reader, failing, length, budget);
  return critical ? search.from(*critical) : search.from_the_end();
}

}  // namespace mazurka
