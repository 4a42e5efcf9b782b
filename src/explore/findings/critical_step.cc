#include "explore/findings/critical_step.h"

namespace mazurka {
namespace {

enum class Fate { Doomed, Avoidable, Unknown };

class FateSearch {
 public:
  FateSearch(Program& program, const Limits& limits, SightingReader& reader, MinimizeBudget& budget)
      : program_(program), limits_(limits), reader_(reader), budget_(budget) {}

  // Of the state after the first `length` steps. Requires that it is doomed if it goes on with the
  // next step.
  Fate of(const std::vector<PlannedStep>& schedule, size_t length) {
    const auto begin = schedule.begin();
    open_.assign(1, {begin, begin + static_cast<std::ptrdiff_t>(length)});
    const size_t root = length;
    while (!open_.empty()) {
      const std::vector<PlannedStep> prefix = std::move(open_.back());
      open_.pop_back();
      if (!budget_.take()) return Fate::Unknown;
      Plan plan;
      plan.prefix = prefix;
      plan.limits = limits_;
      Execution execution;
      if (!program_.run(plan, execution)) return Fate::Unknown;
      budget_.note(execution);
      if (execution.transitions.size() < prefix.size()) return Fate::Unknown;
      const bool is_clean = reader_.read(execution).empty();
      if (is_clean && execution.end == End::Finished) return Fate::Avoidable;
      if (is_clean) return Fate::Unknown;  // cut at a bound
      add_others(execution, prefix.size(), root, schedule[length].choice);
    }
    return Fate::Doomed;
  }

 private:
  void add_others(const Execution& execution, size_t first, size_t root, Choice doomed) {
    const std::vector<Transition>& transitions = execution.transitions;
    const std::vector<PlannedStep> steps =
        schedule_of(execution, static_cast<uint32_t>(transitions.size()));
    for (size_t i = first; i < transitions.size(); ++i) {
      if (i == root + 1 && transitions[root].choice == doomed) return;
      for (const Choice& choice : transitions[i].enabled) {
        if (choice == transitions[i].choice || (i == root && choice == doomed)) continue;
        const auto begin = steps.begin();
        std::vector<PlannedStep>& prefix =
            open_.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(i));
        prefix.push_back({choice, OpKind::None, {}, kNoObject});
      }
    }
  }

  Program& program_;
  const Limits& limits_;
  SightingReader& reader_;
  MinimizeBudget& budget_;
  std::vector<std::vector<PlannedStep>> open_;
};

}  // namespace

std::optional<uint32_t> critical_step(Program& program, const Limits& limits,
                                      const Finding& finding, SightingReader& reader,
                                      MinimizeBudget& budget) {
  FateSearch fates(program, limits, reader, budget);
  for (size_t i = finding.schedule.size(); i-- > 0;) {
    const Fate fate = fates.of(finding.schedule, i);
    if (fate == Fate::Avoidable) return static_cast<uint32_t>(i);
    if (fate == Fate::Unknown) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace mazurka
