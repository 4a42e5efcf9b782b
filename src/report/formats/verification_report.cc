#include "report/formats/verification_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/counted.h"

namespace mazurka {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kManyStates = 10000;

const char* verdict_word(const lts::Verification& verification) {
  if (!verification.violations.empty()) return "error";
  return verification.complete() ? "ok" : "incomplete";
}

// What the tester has against it (definition 7).
const char* reason(lts::ViolationKind kind) {
  switch (kind) {
    case lts::ViolationKind::IllegalFiniteTrace:
      return "the tester is in a reject state";
    case lts::ViolationKind::IllegalStableFailure:
      return "the system stops while the tester is in a deadlock state";
    case lts::ViolationKind::IllegalDivergenceTrace:
      return "the system runs on in silence while the tester is in a livelock state";
    case lts::ViolationKind::IllegalInfiniteTrace:
      return "the tester is in an infinite-trace state again and again";
  }
  return "";
}

std::string steps_text(const std::vector<lts::Step>& steps, const VerificationReport& report) {
  std::string text;
  for (const lts::Step& step : steps) {
    text += fmt::format("    {:<30} {}\n", report.system.actions.name(step.action),
                        report.tester.names[step.locals[0]]);
  }
  return text;
}

std::string violation_text(const lts::Violation& violation, const VerificationReport& report) {
  std::string text = fmt::format("{}: {}\n", name_of(violation.kind), reason(violation.kind));
  text += fmt::format("  prefix, {}; the tester's state after each:\n",
                      counted(violation.prefix.size(), "action"));
  text += steps_text(violation.prefix, report);
  if (is_infinite(violation.kind)) {
    text += fmt::format("  loop, {}:\n", counted(violation.loop.size(), "action"));
    text += steps_text(violation.loop, report);
  }
  return text + "\n";
}

Json actions_json(const std::vector<lts::Step>& steps, const lts::Network& system) {
  Json actions = Json::array();
  for (const lts::Step& step : steps) actions.push_back(system.actions.name(step.action));
  return actions;
}

Json violation_json(const lts::Violation& violation, const lts::Network& system) {
  Json json = {{"kind", name_of(violation.kind)},
               {"prefix", actions_json(violation.prefix, system)}};
  if (is_infinite(violation.kind)) json["loop"] = actions_json(violation.loop, system);
  return json;
}

}  // namespace

ExitCode exit_code_of(const lts::Verification& verification) {
  if (!verification.violations.empty()) return ExitCode::Found;
  return verification.complete() ? ExitCode::Ok : ExitCode::Incomplete;
}

const char* sentence(lts::StopReason reason) {
  switch (reason) {
    case lts::StopReason::None:
      return "";
    case lts::StopReason::Memory:
      return "no memory was left";
    case lts::StopReason::Interrupted:
      return "it was interrupted";
  }
  return "";
}

std::string verdict_text(const lts::Verification& verification) {
  std::string text = fmt::format("{}: ", verdict_word(verification));
  if (verification.violations.empty()) {
    text +=
        verification.complete() ? "the system does nothing illegal" : "nothing illegal was found";
  } else {
    text += counted(verification.violations.size(), "violation");
  }
  if (!verification.complete()) {
    text += fmt::format("; not complete: {}", sentence(verification.stopped));
  }
  text += fmt::format("\n{}, {}, {} ({})", counted(verification.states, "state"),
                      counted(verification.transitions, "transition"),
                      counted(static_cast<uint64_t>(verification.passes), "pass", "es"),
                      name_of(verification.algorithm));
  // Below that, it would be the size of empty tables.
  if (verification.states >= kManyStates) {
    text += fmt::format(", {:.1f} bytes a state", verification.bytes_per_state);
  }
  return text + fmt::format(", {:.2f} s\n", verification.seconds);
}

std::string text_report(const VerificationReport& report) {
  std::string text;
  for (const lts::Violation& violation : report.verification.violations) {
    text += violation_text(violation, report);
  }
  return text + verdict_text(report.verification);
}

std::string json_report(const VerificationReport& report) {
  const lts::Verification& verification = report.verification;
  Json violations = Json::array();
  for (const lts::Violation& violation : verification.violations) {
    violations.push_back(violation_json(violation, report.system));
  }
  const Json json = {
      {"verdict", verdict_word(verification)},
      {"complete", verification.complete()},
      {"tester", report.tester.name},
      {"algorithm", name_of(verification.algorithm)},
      {"violations", violations},
      {"states", verification.states},
      {"transitions", verification.transitions},
      {"steps", verification.steps},
      {"passes", verification.passes},
      {"bytes_per_state", verification.bytes_per_state},
      {"table_bytes_per_state", verification.table_bytes_per_state},
      {"seconds", verification.seconds},
  };
  // Names come from files, so they may be any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string json_report(const lts::Info& info) {
  const Json json = {{"complete", info.stopped == lts::StopReason::None},
                     {"states", info.states},
                     {"transitions", info.transitions},
                     {"deadlocks", info.deadlocks},
                     {"livelocks", info.livelocks}};
  return json.dump(2) + '\n';
}

}  // namespace mazurka
