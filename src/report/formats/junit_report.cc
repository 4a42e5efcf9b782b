#include "report/formats/junit_report.h"

#include <fmt/format.h>

#include "report/formats/text_report.h"
#include "report/words/finding_kinds.h"
#include "report/words/finding_text.h"
#include "report/words/quoting.h"
#include "report/words/remark_text.h"

namespace mazurka {
namespace {

// As XML 1.0 has it: control characters cannot be written at all, and bytes that are no UTF-8 must
// not.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char byte : text) {
    const auto value = static_cast<unsigned char>(byte);
    if (byte == '&') {
      out += "&amp;";
    } else if (byte == '<') {
      out += "&lt;";
    } else if (byte == '>') {
      out += "&gt;";
    } else if (byte == '"') {
      out += "&quot;";
    } else if (byte == '\n' || byte == '\t' || (value >= 0x20 && value < 0x7f)) {
      out += byte;
    } else {
      out += '?';
    }
  }
  return out;
}

constexpr char kNotEverywhere[] = "      <skipped message=\"not complete\"/>\n";

// What is always looked for. Of the others a test case says something only if they were found.
bool is_always_looked_for(FindingKind kind) {
  switch (kind) {
    case FindingKind::Race:
    case FindingKind::LockingDiscipline:
    case FindingKind::Livelock:
    case FindingKind::Tester:
      return false;
    default:
      return true;
  }
}

std::string failure(const Finding& finding, const std::string& schedule, const Report& report) {
  return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                     name_of(finding.kind()), escaped(message(finding, report.describer)),
                     escaped(finding_report(finding, schedule, report, {})));
}

struct Suite {
  std::string cases;
  size_t tests = 0;
  size_t failures = 0;
  size_t errors = 0;
  size_t skipped = 0;
};

void add_case(const std::string& name, const std::string& inside, const Report& report,
              Suite& suite) {
  const std::string program = report.command.empty() ? "program" : report.command[0];
  ++suite.tests;
  suite.cases +=
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(program),
                  escaped(name), name == "complete" ? report.verdict.seconds : 0.0);
  suite.cases += inside.empty() ? "/>\n" : ">\n" + inside + "    </testcase>\n";
}

void add_kind(FindingKind kind, const Report& report, Suite& suite) {
  const std::vector<Finding>& findings = report.verdict.findings;
  std::string failures;
  for (size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].kind() != kind) continue;
    failures +=
        failure(findings[i], i < report.schedules.size() ? report.schedules[i] : "", report);
  }
  if (failures.empty() && !is_always_looked_for(kind)) return;
  if (!failures.empty()) ++suite.failures;
  // What was not looked for everywhere has not passed.
  if (failures.empty() && report.verdict.guarantee == Guarantee::Sampled) {
    ++suite.skipped;
    failures = kNotEverywhere;
  }
  add_case(name_of(kind), failures, report, suite);
}

// Not to be complete is no failure, but it is no success either.
void add_completeness(const Report& report, Suite& suite) {
  const Verdict& verdict = report.verdict;
  std::string inside;
  if (verdict.trouble) {
    ++suite.errors;
    inside = fmt::format("      <error type=\"trouble\" message=\"{}\"/>\n",
                         escaped(verdict.trouble->message));
  } else if (!verdict.complete()) {
    ++suite.skipped;
    inside = fmt::format("      <skipped message=\"{}\"/>\n",
                         escaped(joined_sentences(verdict.why_incomplete)));
  }
  add_case("complete", inside, report, suite);
}

}  // namespace

std::string junit_report(const Report& report) {
  Suite suite;
  for (const KindDescription& kind : finding_kinds()) add_kind(kind.kind, report, suite);
  add_completeness(report, suite);
  const std::string name = "mazurka check " + shell_command(report.command);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                  suite.tests, suite.failures, suite.errors, suite.skipped, report.verdict.seconds);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n"
      "  <testsuite name=\"{}\" {}>\n{}    <system-out>{}</system-out>\n  </testsuite>\n"
      "</testsuites>\n",
      counts, escaped(name), counts, suite.cases, escaped(verdict_text(report.verdict)));
}

}  // namespace mazurka
