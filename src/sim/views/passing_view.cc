#include "sim/views/passing_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/server/json.h"

namespace mazurka {
namespace {

constexpr size_t kMostDifferences = 12;

std::string step_text(const Run& run, uint32_t i, const Describer& describer) {
  const Transition& made = run.execution.transitions[i];
  return fmt::format("{} '{}'", describer.thread(made.choice.thread), describer.transition(made));
}

std::string in_brackets(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

Json difference_json(const RunDifference& difference, const Run& passing, const Run& failing,
                     const Describer& describer) {
  const Transition& second = passing.execution.transitions[difference.second];
  const std::string where = in_brackets(describer.short_location(second.place));
  const uint32_t here = difference.failing_second;
  if (difference.kind == RunDifference::Kind::OtherOutcome) {
    return {
        {"kind", "outcome"},
        {"text", step_text(passing, difference.second, describer) + where},
        {"here", "here it is '" + describer.transition(failing.execution.transitions[here]) + "'"},
        {"passing", {difference.second}},
        {"failing", {here}}};
  }
  const ThreadId first = passing.execution.transitions[difference.first].choice.thread;
  const std::string never = fmt::format("here {} has not come to that", describer.thread(first));
  Json failing_steps = Json::array();
  if (difference.failing_first) failing_steps.push_back(*difference.failing_first);
  failing_steps.push_back(here);
  return {{"kind", "order"},
          {"text", step_text(passing, difference.first, describer) + " before " +
                       step_text(passing, difference.second, describer) + where},
          {"here", difference.failing_first ? "here it comes later" : never},
          {"passing", {difference.first, difference.second}},
          {"failing", std::move(failing_steps)}};
}

// How many steps both begin with.
uint32_t fork_of(const Run& one, const Run& other) {
  const uint32_t most = std::min(one.length(), other.length());
  uint32_t i = 0;
  while (i < most && one.execution.transitions[i].choice == other.execution.transitions[i].choice)
    ++i;
  return i;
}

}  // namespace

Json passing_json(const PassingRun& found, const Run* passing, const Run& failing, Naming& naming) {
  Json json = {{"critical", nullptr},
               {"doomed", found.is_doomed},
               {"tried", found.tried},
               {"differences", Json::array()},
               {"passing", nullptr}};
  if (found.critical) json["critical"] = *found.critical + 1;
  if (passing == nullptr) return json;
  for (const RunDifference& difference : found.differences) {
    if (json["differences"].size() == kMostDifferences) break;
    json["differences"].push_back(
        difference_json(difference, *passing, failing, naming.describer()));
  }
  json["passing"] = {
      {"run", passing->id}, {"length", passing->length()}, {"fork", fork_of(*passing, failing)}};
  return json;
}

}  // namespace mazurka
