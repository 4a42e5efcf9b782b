#include "explore/findings/least_preempted.h"

#include <algorithm>

#include "explore/findings/preemptions.h"

namespace mazurka {
namespace {

std::optional<uint32_t> count_preemptions(const Finding& finding, uint32_t bound) {
  const size_t length = std::min(finding.schedule.size(), finding.execution.transitions.size());
  const auto all = preemptions_of(finding.execution, length, bound);
  if (!all) return std::nullopt;
  return static_cast<uint32_t>(std::count(all->begin(), all->end(), true));
}

// What is known of the finding itself stays.
void replace(Finding& finding, Finding better) {
  better.count = finding.count;
  better.threads = std::move(finding.threads);
  better.earlier = std::move(finding.earlier);
  finding = std::move(better);
}

}  // namespace

bool LeastPreempted::is_better(Rank rank, const Finding& finding) {
  return rank < Rank(*finding.preemptions, finding.schedule.size());
}

bool LeastPreempted::begin(Finding& finding) {
  finding.preemptions = count_preemptions(finding, limits_.bound);
  return finding.preemptions.has_value();
}

void LeastPreempted::offer(std::vector<PlannedStep> schedule, Finding& finding) {
  if (schedule.empty()) return;
  std::vector<std::pair<uint16_t, uint16_t>> choices;
  choices.reserve(schedule.size());
  for (const PlannedStep& step : schedule) {
    choices.emplace_back(index(step.choice.thread), step.choice.outcome);
  }
  if (!tried_.insert(std::move(choices)).second) return;
  Result<std::optional<Finding>> replayed =
      confirmed(program_, limits_, std::move(schedule), finding.sighting, reader_);
  if (!replayed) return budget_.give_up();
  if (!replayed->has_value()) return;
  Finding& found = **replayed;
  // The steps after the sighting are not needed, and those up to it must all be there.
  if (found.sighting.length > found.schedule.size()) return;
  if (found.sighting.steps.empty()) found.schedule.resize(found.sighting.length);
  found.preemptions = count_preemptions(found, limits_.bound);
  if (found.preemptions && is_better({*found.preemptions, found.schedule.size()}, finding)) {
    replace(finding, std::move(found));
  }
}

void LeastPreempted::improve(Finding& finding) {
  tasks_.clear();
  tasks_.emplace(Rank(0, 0), Task());
  bool has_seen_all = true;
  Execution execution;
  while (!tasks_.empty()) {
    const auto [rank, task] = *tasks_.begin();
    if (!is_better(rank, finding)) break;
    if (!budget_.take()) {
      has_seen_all = rank.first >= *finding.preemptions;
      break;
    }
    tasks_.erase(tasks_.begin());
    Plan plan;
    plan.limits = limits_;
    if (task.steps != nullptr) {
      const auto begin = task.steps->begin();
      plan.prefix.assign(begin, begin + static_cast<std::ptrdiff_t>(task.length));
      plan.prefix.push_back({task.next, OpKind::None, {}, kNoObject});
    }
    if (!program_.run(plan, execution)) budget_.give_up();
    budget_.note(execution);
    if (execution.transitions.size() < plan.prefix.size()) {
      budget_.give_up();
      has_seen_all = false;
      break;
    }
    take(rank, task, execution, finding);
  }
  finding.is_least_preempted = has_seen_all && finding.sighting.steps.empty();
}

void LeastPreempted::take(Rank rank, const Task& task, const Execution& execution,
                          Finding& finding) {
  look_for(execution, follow(rank, task, execution, finding), finding);
}

LeastPreempted::Rank LeastPreempted::follow(Rank rank, const Task& task, const Execution& execution,
                                            const Finding& finding) {
  const std::vector<Transition>& transitions = execution.transitions;
  const Steps steps = std::make_shared<std::vector<PlannedStep>>(
      schedule_of(execution, static_cast<uint32_t>(transitions.size())));
  for (size_t i = task.steps == nullptr ? 0 : task.length + 1; i < transitions.size(); ++i) {
    const ThreadId last = i == 0 ? kMainThread : transitions[i - 1].choice.thread;
    const std::vector<Choice>& enabled = transitions[i].enabled;
    const bool is_busy = can_go_on(last, enabled);
    const auto after = [&](Choice choice) {
      return Rank(rank.first + (is_busy && choice.thread != last ? 1 : 0), i + 1);
    };
    for (const Choice& choice : enabled) {
      if (choice == transitions[i].choice || !is_better(after(choice), finding)) continue;
      tasks_.emplace(after(choice), Task{steps, i, choice});
    }
    const Rank next = after(transitions[i].choice);
    if (!is_better(next, finding)) break;
    rank = next;
  }
  return rank;
}

// `reached`: how far the execution was followed, and the preemptions on that way.
void LeastPreempted::look_for(const Execution& execution, Rank reached, Finding& finding) {
  for (const Sighting& seen : reader_.read(execution)) {
    if (!(seen == finding.sighting)) continue;
    if (seen.steps.empty() && seen.length > reached.second) continue;
    offer(schedule_of(execution, seen), finding);
  }
}

}  // namespace mazurka
