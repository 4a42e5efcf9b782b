#include "report/text_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/finding_text.h"
#include "report/quoting.h"

namespace mazurka {
namespace {

// "1 finding", "2 findings"
std::string counted(uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& sentences) {
  return fmt::format("{}", fmt::join(sentences, "; "));
}

// Whether nothing within the bounds is missing: a search with reduction that was cut at a depth
// cannot say that.
bool is_exact(const Verdict& verdict) {
  const std::vector<std::string>& why = verdict.why_incomplete;
  return std::none_of(why.begin(), why.end(), [](const std::string& sentence) {
    return sentence.find("because of the reduction") != std::string::npos;
  });
}

// "complete for its synchronisation calls; memory accesses ... were not checked"
std::string guarantee_text(const Verdict& verdict) {
  const bool memory_seen = verdict.assumptions.empty();
  std::string text;
  switch (verdict.guarantee) {
    case Guarantee::Complete:
      text = memory_seen ? "complete: every behaviour was explored"
                         : "complete for its synchronisation calls";
      break;
    case Guarantee::Bounded:
      text = is_exact(verdict)
                 ? "every behaviour within the bounds was explored, but they were reached"
                 : "not every behaviour was explored";
      break;
    case Guarantee::Sampled:
      text = "not complete";
      break;
  }
  const std::string why = joined(verdict.why_incomplete);
  if (!why.empty()) text += ": " + why;
  if (!memory_seen) text += "; " + joined(verdict.assumptions);
  return text;
}

std::string counts_text(const Verdict& verdict) {
  const Counts& counts = verdict.counts;
  return fmt::format(
      "{}, {}, depth {}, {:.2f} s, search {}\n", counted(counts.executions, "execution"),
      counted(counts.transitions, "transition"), counts.max_depth, verdict.seconds, verdict.search);
}

std::string compared_text(const Verdict& verdict) {
  if (!verdict.compared) return "";
  const Compared& compared = *verdict.compared;
  std::string text =
      fmt::format("compared with {}: {}, {}, {:.2f} s: ", compared.search,
                  counted(compared.counts.executions, "execution"),
                  counted(compared.counts.transitions, "transition"), compared.seconds);
  if (!compared.is_whole) return text + "not comparable, because a search was cut short\n";
  if (compared.differences.empty()) {
    return text + fmt::format("the same findings, and the same {}\n",
                              counted(compared.end_states, "end state"));
  }
  text += "THEY DIFFER, so one of them is wrong\n";
  for (const std::string& difference : compared.differences) text += "  " + difference + '\n';
  return text;
}

std::string columns(const std::string& first, const std::string& second, const std::string& place) {
  std::string line = fmt::format("  {:<6} {}", first, second);
  if (!place.empty()) line = fmt::format("{:<44} {}", line, place);
  return line;
}

std::string schedule_lines(const Finding& finding, const Describer& describer) {
  if (finding.schedule.empty()) return "  with an empty schedule\n";
  std::string text = fmt::format("  schedule, {}:\n", counted(finding.schedule.size(), "step"));
  const std::vector<Transition>& transitions = finding.execution.transitions;
  for (size_t i = 0; i < finding.schedule.size() && i < transitions.size(); ++i) {
    text += "  " + step_line(i + 1, transitions[i], describer);
  }
  return text;
}

std::string finding_text(const Finding& finding, const std::string& schedule,
                         const Describer& describer) {
  std::string text =
      fmt::format("\n{}: {}\n", name_of(finding.kind()), message(finding, describer));
  if (finding.count > 1) text += fmt::format("  seen in {} executions\n", finding.count);
  text += culprit_lines(finding, describer) + schedule_lines(finding, describer);
  if (!schedule.empty()) {
    text += fmt::format("  replay: {}\n", shell_command({"mazurka", "replay", schedule}));
  }
  return text;
}

}  // namespace

std::string step_line(size_t number, const Transition& transition, const Describer& describer) {
  const std::string line =
      columns(describer.thread(transition.choice.thread), describer.transition(transition),
              describer.place(transition.place));
  return fmt::format("{:>4}{}\n", number, line);
}

std::string culprit_lines(const Finding& finding, const Describer& describer) {
  std::string text;
  for (const Culprit& culprit : culprits(finding)) {
    const std::string operation = describer.operation(*culprit.op, *culprit.parts);
    const std::string what = (culprit.is_running ? "after " : "") + operation;
    const std::string place = describer.place(*culprit.place);
    text += columns(describer.thread(culprit.thread), what, place) + '\n';
    for (const std::string& caller : describer.callers(*culprit.place)) {
      text += columns("", "", "called from " + caller) + '\n';
    }
  }
  return text;
}

std::string verdict_text(const Verdict& verdict) {
  const std::string found =
      verdict.findings.empty() ? "nothing found" : counted(verdict.findings.size(), "finding");
  return fmt::format("{}: {}; {}\n", verdict_word(verdict), found, guarantee_text(verdict));
}

std::string text_report(const Report& report) {
  const Verdict& verdict = report.verdict;
  std::string text = verdict_text(verdict) + counts_text(verdict) + compared_text(verdict);
  for (const UnmodelledCall& call : verdict.unmodelled) {
    text += "unmodelled: " + sentence(call, report.describer) + '\n';
  }
  for (const std::string& note : verdict.notes) text += "note: " + note + '\n';
  for (size_t i = 0; i < verdict.findings.size(); ++i) {
    const std::string schedule = i < report.schedules.size() ? report.schedules[i] : "";
    text += finding_text(verdict.findings[i], schedule, report.describer);
  }
  return text;
}

}  // namespace mazurka
