#include "sim/views/swap.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/check.h"
#include "sim/server/json.h"
#include "sim/views/state_view.h"

namespace mazurka {
namespace {

PlannedStep planned(const Run& run, uint32_t i) {
  const Transition& made = run.execution.transitions[i];
  return {made.choice, made.op.kind, {}, made.op.object};
}

// What is said about each thread and object in a state.
std::map<std::string, std::string> facts(const Json& state) {
  std::map<std::string, std::string> all;
  for (const Json& thread : state["threads"]) {
    std::string text = thread["operation"].get<std::string>();
    const std::string status = thread["status"];
    if (status == "blocked" || status == "asleep") text += ", " + thread["why"].get<std::string>();
    all[thread["name"]] = text;
  }
  for (const Json& object : state["objects"]) all[object["name"]] = object["value"];
  return all;
}

Json changes_between(const Json& one, const Json& other) {
  const auto a = facts(one);
  const auto b = facts(other);
  const auto value = [](const auto& map, const std::string& key) {
    const auto found = map.find(key);
    return found == map.end() ? std::string("is not there") : found->second;
  };
  std::map<std::string, int> names;
  for (const auto& [name, text] : a) names[name] = 0;
  for (const auto& [name, text] : b) names[name] = 0;
  Json changes = Json::array();
  for (const auto& [name, unused] : names) {
    if (value(a, name) == value(b, name)) continue;
    changes.push_back({{"name", name}, {"now", value(a, name)}, {"other", value(b, name)}});
  }
  return changes;
}

Json impossible(std::string why) {
  return {
      {"same", false}, {"possible", false}, {"why", std::move(why)}, {"changes", Json::array()}};
}

bool can(const std::vector<Choice>& choices, Choice wanted) {
  return std::find(choices.begin(), choices.end(), wanted) != choices.end();
}

// The first steps, then the later of the two, then the earlier one if it can still happen, then
// what is `left`.
Result<RunPointer> run_other_order(const Run& run, uint32_t first, bool with_rest, Runs& runs,
                                   uint32_t bound) {
  std::vector<PlannedStep> schedule = Runs::schedule_until(run, first);
  schedule.push_back(planned(run, first + 1));
  if (!with_rest) {
    Result<RunPointer> half = runs.make(schedule);
    if (!half || (*half)->length() < schedule.size()) return half;
    const auto at = static_cast<uint32_t>(schedule.size());
    if (!can(choices_at(**half, at, bound), run.execution.transitions[first].choice)) return half;
  }
  schedule.push_back(planned(run, first));
  for (uint32_t i = first + 2; with_rest && i < run.length(); ++i)
    schedule.push_back(planned(run, i));
  return runs.make(schedule);
}

}  // namespace

Result<Json> swap_steps(const Run& run, uint32_t first, Runs& runs, LiveNaming& naming) {
  MAZURKA_CHECK(size_t{first} + 1 < run.execution.transitions.size());
  const Transition& a = run.execution.transitions[first];
  const Transition& b = run.execution.transitions[first + 1];
  const Describer& describer = naming.describer();
  if (a.choice.thread == b.choice.thread) {
    return impossible("both are steps of " + describer.thread(a.choice.thread) +
                      ", and a thread has its own order");
  }
  const uint32_t bound = naming.bound();
  if (!can(choices_at(run, first, bound), b.choice)) {
    return impossible(
        fmt::format("the other order cannot happen: {} cannot do '{}' before {} has done '{}'",
                    describer.thread(b.choice.thread), describer.transition(b),
                    describer.thread(a.choice.thread), describer.transition(a)));
  }
  const bool independent = !run.order.is_before(first, first + 1);
  Result<RunPointer> other = run_other_order(run, first, independent, runs, bound);
  if (!other) return other.error();
  naming.refresh();
  const uint32_t end = independent ? run.length() : std::min(first + 2, run.length());
  const uint32_t other_end =
      independent ? (*other)->length() : std::min(first + 2, (*other)->length());
  const Json changes =
      changes_between(state_json(run, end, naming), state_json(**other, other_end, naming));
  const bool same = independent && changes.empty() && (*other)->length() == run.length();
  std::string why = same ? "they are independent: in the other order, everything is the same"
                         : "they are dependent: the other order leads elsewhere";
  if (independent && !same)
    why = "they were taken for independent, but the other order led elsewhere";
  if (!independent && changes.empty()) {
    why = "they are dependent, but both orders lead to what looks the same here";
  }
  return Json{{"same", same},
              {"possible", true},
              {"why", why},
              {"changes", changes},
              {"other", run_json(**other, naming)}};
}

}  // namespace mazurka
