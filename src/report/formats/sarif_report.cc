#include "report/formats/sarif_report.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "explore/findings/explanation.h"
#include "report/words/conflict_text.h"
#include "report/words/finding_kinds.h"
#include "report/words/finding_text.h"
#include "report/words/quoting.h"
#include "report/words/reason.h"
#include "report/words/remark_text.h"
#include "report/words/source_location.h"

namespace mazurka {
namespace {

using Json = nlohmann::ordered_json;

// RFC 3986: an absolute path becomes a file URI, a relative one a relative reference.
std::string uri_of(const std::string& path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string uri = !path.empty() && path[0] == '/' ? "file://" : "";
  for (const char byte : path) {
    if (kPlain.find(byte) != std::string_view::npos) {
      uri += byte;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    }
  }
  return uri;
}

Json rule(const KindDescription& kind) {
  return {{"id", name_of(kind.kind)},
          {"name", kind.title},
          {"shortDescription", {{"text", kind.sentence}}},
          {"defaultConfiguration", {{"level", "error"}}}};
}

// Empty if the place is not known.
Json physical_location(const std::string& location) {
  const SourceLocation place = source_location(location);
  if (place.file.empty()) return Json::object();
  Json json = {{"artifactLocation", {{"uri", uri_of(place.file)}}}};
  if (place.line > 0) json["region"] = {{"startLine", place.line}};
  return json;
}

Json location_json(const std::string& location, const std::string& message) {
  Json json = Json::object();
  const Json place = physical_location(location);
  if (!place.empty()) json["physicalLocation"] = place;
  if (!message.empty()) json["message"] = {{"text", message}};
  return json;
}

const char* importance_of(const ExplainedStep& step, bool is_last) {
  if (is_last || step.preempts) return "essential";
  return step.matters ? "important" : "unimportant";
}

Json code_flow(const Finding& finding, const Report& report) {
  const Explanation explanation = explain(finding, report.bound);
  std::map<ThreadId, Json> flows;
  for (size_t i = 0; i < explanation.steps.size(); ++i) {
    const Transition& made = finding.execution.transitions[i];
    Json& locations = flows.try_emplace(made.choice.thread, Json::array()).first->second;
    const bool is_last = i + 1 == explanation.steps.size();
    locations.push_back({{"location", location_json(report.describer.location(made.place),
                                                    report.describer.transition(made))},
                         {"executionOrder", i + 1},
                         {"importance", importance_of(explanation.steps[i], is_last)}});
  }
  Json threads = Json::array();
  for (auto& [thread, locations] : flows) {
    threads.push_back(
        {{"id", report.describer.thread(thread)},
         {"message", {{"text", report.describer.thread_title(thread, finding.execution)}}},
         {"locations", std::move(locations)}});
  }
  return {{"threadFlows", std::move(threads)}};
}

// Where each blocked thread stands, or both accesses.
Json related_locations(const Finding& finding, const Describer& describer) {
  Json related = Json::array();
  for (const Culprit& culprit : culprits(finding)) {
    const std::string what = describer.thread_title(culprit.thread, finding.execution) + ": " +
                             describer.operation(*culprit.op, *culprit.parts);
    Json location = location_json(describer.location(*culprit.place), what);
    location["id"] = related.size() + 1;
    related.push_back(std::move(location));
  }
  if (const MemoryConflict* conflict = conflict_of(finding)) {
    for (const AccessLine& access : access_lines(*conflict, describer)) {
      Json location = location_json(access.location, access.thread + ": " + access.what);
      location["id"] = related.size() + 1;
      related.push_back(std::move(location));
    }
  }
  return related;
}

Json result(const Finding& finding, size_t number, const Report& report) {
  const std::string where = location(finding, report.describer);
  const std::string schedule = number < report.schedules.size() ? report.schedules[number] : "";
  std::string text = message(finding, report.describer);
  const std::string why = reason_for(finding, report.describer).sentence;
  if (!why.empty()) text += ". Why: " + why;
  if (!schedule.empty()) {
    text += ". Replay: " + shell_command({"mazurka", "replay", schedule});
  }
  Json json = {{"ruleId", name_of(finding.kind())},
               {"ruleIndex", static_cast<int>(finding.kind())},
               {"level", "error"},
               {"message", {{"text", text}}}};
  const Json place = physical_location(where);
  if (!place.empty()) json["locations"] = Json::array({{{"physicalLocation", place}}});
  json["relatedLocations"] = related_locations(finding, report.describer);
  if (!finding.schedule.empty()) json["codeFlows"] = Json::array({code_flow(finding, report)});
  json["occurrenceCount"] = finding.count;
  // The same finding on the same line: what CI compares between two runs.
  const SourceLocation line = source_location(where);
  const size_t slash = line.file.rfind('/');
  const std::string file = slash == std::string::npos ? line.file : line.file.substr(slash + 1);
  json["partialFingerprints"] = {
      {"kindAndLine/v1", fmt::format("{}:{}:{}", name_of(finding.kind()), file, line.line)}};
  return json;
}

Json notification(const std::string& text, const char* level) {
  return {{"level", level}, {"message", {{"text", text}}}};
}

Json invocation(const Report& report) {
  const Verdict& verdict = report.verdict;
  Json notifications = Json::array();
  for (const std::string& why : sentences(verdict.why_incomplete)) {
    notifications.push_back(notification(why, "warning"));
  }
  for (const std::string& assumed : sentences(verdict.assumptions)) {
    notifications.push_back(notification(assumed, "note"));
  }
  for (const UnmodelledCall& call : verdict.unmodelled) {
    notifications.push_back(notification(sentence(call, report.describer), "warning"));
  }
  if (verdict.trouble) notifications.push_back(notification(verdict.trouble->message, "error"));
  return {{"commandLine", "mazurka check -- " + shell_command(report.command)},
          {"exitCode", static_cast<int>(exit_code_of(verdict))},
          {"executionSuccessful", !verdict.trouble.has_value()},
          {"toolExecutionNotifications", std::move(notifications)}};
}

}  // namespace

std::string sarif_report(const Report& report, const std::string& version) {
  const Verdict& verdict = report.verdict;
  Json rules = Json::array();
  for (const KindDescription& kind : finding_kinds()) rules.push_back(rule(kind));
  Json results = Json::array();
  for (size_t i = 0; i < verdict.findings.size(); ++i) {
    results.push_back(result(verdict.findings[i], i, report));
  }
  const Json run = {{"tool",
                     {{"driver",
                       {{"name", "Mazurka"},
                        {"version", version},
                        {"semanticVersion", version},
                        {"rules", rules}}}}},
                    {"invocations", Json::array({invocation(report)})},
                    {"results", std::move(results)},
                    {"properties",
                     {{"guarantee", name_of(verdict.guarantee)},
                      {"search", verdict.search},
                      {"executions", verdict.counts.executions}}}};
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({run})}};
  // Names come from the program under test, so they may be any bytes.
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace mazurka
