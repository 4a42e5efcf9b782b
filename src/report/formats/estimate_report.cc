#include "report/formats/estimate_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "report/words/size_text.h"

namespace mazurka {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostReversed = 5;
constexpr double kLeastShare = 0.03;
constexpr double kShareToSpeakOf = 0.25;
constexpr double kLongSeconds = 600;

double rate_of(const SizeEstimate& estimate) {
  return std::max(static_cast<double>(estimate.executions), 1.0) / std::max(estimate.seconds, 1e-6);
}

std::string threads_text(const Reversed& reversed, const Describer& describer) {
  if (reversed.first == reversed.second) return "outcomes of " + describer.thread(reversed.first);
  return describer.thread(reversed.first) + " and " + describer.thread(reversed.second);
}

// What no object is worked on by: the ends of processes, tosses.
std::string object_text(const Reversed& reversed, const Describer& describer) {
  return reversed.object == kNoObject ? "no object" : describer.object(reversed.object);
}

std::string reversed_text(const EstimateReport& report) {
  if (report.search.reversed.empty()) return "";
  std::string text = "What is done in another order, as shares of all executions:\n";
  size_t shown = 0;
  for (const auto& [what, share] : report.search.reversed) {
    if (shown == kMostReversed || (shown > 0 && share < kLeastShare)) break;
    text += fmt::format("  {:3.0f} %  {}, by {}\n", 100 * share,
                        object_text(what, report.describer), threads_text(what, report.describer));
    ++shown;
  }
  return text;
}

std::string advice_text(const EstimateReport& report) {
  const SizeEstimate& search = report.search;
  const double seconds =
      std::exp(std::min(search.size.log_mean - std::log(rate_of(search)), 700.0));
  if (seconds < kLongSeconds) return "";
  std::string text;
  if (!search.reversed.empty() && search.reversed[0].second >= kShareToSpeakOf &&
      search.reversed[0].first.object != kNoObject) {
    const Reversed& most = search.reversed[0].first;
    text += fmt::format("Fewer operations on {} by {} would save most.\n",
                        object_text(most, report.describer), threads_text(most, report.describer));
  }
  return text +
         "mazurka check finds most bugs long before it is through; --deepen says what was "
         "covered.\n";
}

// Small numbers are there as they are; what is too large for JSON's numbers is null.
Json number_json(double log_number) {
  if (log_number > 700) return nullptr;  // infinity, too
  return std::exp(log_number);
}

Json size_json(const SizeEstimate& estimate) {
  const double ten = std::log(10);
  return {
      {"executions", number_json(estimate.size.log_mean)},
      {"low", number_json(estimate.size.log_low)},
      {"high", number_json(estimate.size.log_high)},
      {"log10",
       {estimate.size.log_mean / ten, estimate.size.log_low / ten, estimate.size.log_high / ten}},
      {"exact", estimate.size.is_exact},
      {"executions_run", estimate.executions},
      {"passes", estimate.passes},
      {"seconds", estimate.seconds}};
}

}  // namespace

std::string estimate_text(const EstimateReport& report, const TextStyle& style) {
  const SizeEstimate& search = report.search;
  std::string text = wrapped(
      fmt::format("{} executions: {} at {:.0f} per second with one worker", size_text(search.size),
                  time_text(search.size, rate_of(search)), rate_of(search)),
      2, style);
  text +=
      '\n' +
      wrapped(fmt::format("from {}, {}, {:.1f} s, seed {}", counted(search.executions, "execution"),
                          counted(search.passes, "pass", "es"), search.seconds, report.seed),
              2, style) +
      '\n';
  const auto note = [&](const char* sentence) {
    text += wrapped(std::string("note: ") + sentence, 2, style) + '\n';
  };
  if (search.was_cut)
    note(
        "executions were cut at the depth, as if they ended there (--bound for programs that do "
        "not end)");
  if (search.waits_for_others)
    note("the program waits in a loop that only pauses, so every order of its transitions counts");
  if (!search.is_sure) note("some executions did not do as planned, and were left out");
  text += reversed_text(report);
  for (size_t i = 0; i < report.preemptions.size(); ++i) {
    const SizeEstimate& its = report.preemptions[i];
    text += fmt::format("--preemptions={}: {} executions, {}\n", i, size_text(its.size),
                        time_text(its.size, rate_of(its)));
  }
  return text + advice_text(report);
}

std::string estimate_json(const EstimateReport& report) {
  Json json = size_json(report.search);
  json["seed"] = report.seed;
  Json reversed = Json::array();
  for (const auto& [what, share] : report.search.reversed) {
    if (reversed.size() == 4 * kMostReversed) break;
    reversed.push_back(
        {{"object", object_text(what, report.describer)},
         {"threads", {report.describer.thread(what.first), report.describer.thread(what.second)}},
         {"share", share}});
  }
  json["reversed"] = std::move(reversed);
  json["preemptions"] = Json::array();
  for (const SizeEstimate& its : report.preemptions) json["preemptions"].push_back(size_json(its));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace mazurka
