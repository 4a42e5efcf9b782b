#include "report/formats/text_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "objects/op_table.h"
#include "report/words/conflict_text.h"
#include "report/words/finding_text.h"
#include "report/words/quoting.h"
#include "report/words/reason.h"
#include "report/words/remark_text.h"
#include "report/words/sample_text.h"
#include "report/words/schedule_table.h"

namespace mazurka {
namespace {

// Whether nothing within the bounds is missing: a search with reduction that was cut at a depth
// cannot say that.
bool is_exact(const Verdict& verdict) {
  const Remarks<WhyIncomplete>& why = verdict.why_incomplete;
  return std::none_of(why.begin(), why.end(), [](const Remark<WhyIncomplete>& remark) {
    return remark.kind == WhyIncomplete::DepthUnderReduction;
  });
}

// Whether no other bound was reached: transitions of a thread, or of an execution.
bool is_within_preemptions(const Verdict& verdict) {
  const Remarks<WhyIncomplete>& why = verdict.why_incomplete;
  return verdict.within && verdict.within->reached &&
         std::none_of(why.begin(), why.end(), [](const Remark<WhyIncomplete>& remark) {
           return remark.kind == WhyIncomplete::Bound || remark.kind == WhyIncomplete::GrownBound ||
                  remark.kind == WhyIncomplete::Livelock || remark.kind == WhyIncomplete::Depth;
         });
}

bool is_about_plain_code(const Remark<Assumption>& assumed) {
  return assumed.kind == Assumption::PlainCodeNotSeen ||
         assumed.kind == Assumption::MemoryNotSeen || assumed.kind == Assumption::BlindModules ||
         assumed.kind == Assumption::UnseenCode;
}

bool has_plain_code(const Verdict& verdict) {
  return std::any_of(verdict.assumptions.begin(), verdict.assumptions.end(), is_about_plain_code);
}

// "complete for its synchronisation calls and locked instructions"
const char* complete_text(const Verdict& verdict) {
  if (!verdict.memory_is_seen) {
    return verdict.has_locked_instructions
               ? "complete for its synchronisation calls and locked instructions"
               : "complete for its synchronisation calls";
  }
  // Sections commute by what is seen of them: what a library does there could have been left out.
  if (verdict.transitions == Transitions::Composed)
    return "complete for what code built with mazurka-c++ does to memory";
  if (has_plain_code(verdict))
    return "complete for its synchronisation calls and code built with mazurka-c++";
  return "complete: every behaviour was explored";
}

std::string guarantee_text(const Verdict& verdict) {
  std::string text;
  switch (verdict.guarantee) {
    case Guarantee::Complete:
      text = complete_text(verdict);
      break;
    case Guarantee::Bounded:
      if (is_within_preemptions(verdict)) {
        text = fmt::format("every behaviour with at most {} was explored",
                           counted(*verdict.within->reached, "preemption"));
        break;
      }
      text = is_exact(verdict)
                 ? "every behaviour within the bounds was explored, but they were reached"
                 : "not every behaviour was explored";
      break;
    case Guarantee::Sampled:
      text = "not complete";
      break;
  }
  const std::string why = joined_sentences(verdict.why_incomplete);
  if (!why.empty()) text += ": " + why;
  Remarks<Assumption> assumed = verdict.assumptions;
  std::erase_if(assumed, is_about_plain_code);
  if (!assumed.empty()) text += "; " + joined_sentences(assumed);
  return text;
}

// Has a line of its own, below: it holds for most programs, and most of them lock what they share.
std::string plain_code_text(const Verdict& verdict, const TextStyle& style) {
  std::string text;
  for (const Remark<Assumption>& assumed : verdict.assumptions) {
    if (!is_about_plain_code(assumed)) continue;
    std::string line = sentence(assumed);
    line[0] = 'N';  // of "not covered"
    text += wrapped(line, 2, style) + '\n';
  }
  return text;
}

std::string counts_text(const Verdict& verdict) {
  const Counts& counts = verdict.counts;
  const std::string traces =
      verdict.within ? fmt::format(" of {}", counted(verdict.within->traces, "different trace"))
                     : "";
  return fmt::format(
      "{}{}, {}, depth {}, {:.2f} s, search {}\n", counted(counts.executions, "execution"), traces,
      counted(counts.transitions, "transition"), counts.max_depth, verdict.seconds, verdict.search);
}

std::string samples_text(const Verdict& verdict, const TextStyle& style) {
  std::string text;
  if (!verdict.samples) return text;
  for (const std::string& line :
       sample_lines(*verdict.samples, verdict.guarantee != Guarantee::Sampled))
    text += wrapped(line + '\n', 2, style);
  return text;
}

std::string compared_text(const Report& report) {
  if (!report.verdict.compared) return "";
  const Compared& compared = *report.verdict.compared;
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
  for (const Difference& difference : compared.differences)
    text += "  " + sentence(difference, report.describer) + '\n';
  return text;
}

// "held by T0.2", "waits for T0.1"; empty if nobody is to blame.
std::string blame_text(const Wait& wait, const Operation& op, const Describer& describer) {
  if (wait.holders.empty()) return "";
  std::vector<std::string> names;
  for (const ThreadId id : wait.holders) names.push_back(describer.thread(id));
  if (awaits_end(op.kind)) return "which has not ended";
  if (wait.holders.size() == 1 && wait.holders[0] == wait.thread) return "which it holds itself";
  return fmt::format("which {} hold{}", fmt::join(names, " and "), names.size() == 1 ? "s" : "");
}

// "bank.cpp:12 in deposit" for "src/bank.cpp:12 in deposit". Where the finding is, its whole name
// is given.
std::string without_directory(const std::string& place) {
  const size_t slash = place.substr(0, place.find(' ')).rfind('/');
  return slash == std::string::npos ? place : place.substr(slash + 1);
}

struct CulpritLine {
  std::string thread;
  std::string what;
  std::string place;
  std::vector<std::string> callers;
};

std::vector<CulpritLine> read_culprits(const Finding& finding, const Explanation& explanation,
                                       const Describer& describer) {
  std::vector<CulpritLine> lines;
  if (const MemoryConflict* conflict = conflict_of(finding)) {
    for (const AccessLine& access : access_lines(*conflict, describer)) {
      CulpritLine line{access.thread, access.what, without_directory(access.place), {}};
      for (const std::string& caller : access.callers) {
        line.callers.push_back(without_directory(caller));
      }
      lines.push_back(std::move(line));
    }
  }
  const std::vector<Culprit> all = culprits(finding);
  for (size_t i = 0; i < all.size(); ++i) {
    CulpritLine line;
    line.thread = describer.thread_title(all[i].thread, finding.execution);
    line.what =
        (all[i].is_running ? "after " : "") + describer.operation(*all[i].op, *all[i].parts);
    if (i < explanation.waits.size()) {
      const std::string blame = blame_text(explanation.waits[i], *all[i].op, describer);
      if (!blame.empty()) line.what += ", " + blame;
    }
    line.place = without_directory(describer.place(*all[i].place));
    for (const std::string& caller : describer.callers(*all[i].place)) {
      line.callers.push_back(without_directory(caller));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

// In columns if they fit; else each place has a line of its own.
std::string culprit_table(const std::vector<CulpritLine>& lines, const TextStyle& style) {
  size_t thread = 0;
  size_t what = 0;
  size_t place = 0;
  for (const CulpritLine& line : lines) {
    thread = std::max(thread, columns_of(line.thread));
    what = std::max(what, columns_of(line.what));
    place = std::max(place, columns_of(line.place));
    for (const std::string& caller : line.callers) {
      place = std::max(place, columns_of(caller) + 12);
    }
  }
  const bool is_wide = 2 + thread + 2 + what + 2 + place <= style.width;
  const size_t indent = is_wide ? 2 + thread + 2 + what + 2 : 6;
  std::string text;
  for (const CulpritLine& line : lines) {
    std::string row = "  " + coloured(padded(line.thread, thread), Colour::Bold, style) + "  ";
    if (is_wide) {
      row += padded(line.what, what) + "  " + line.place;
    } else {
      row = "  " + line.thread + "  ";
      const std::string text_of_it = wrapped(row + line.what, indent, style);
      row = "  " + coloured(line.thread, Colour::Bold, style) +
            text_of_it.substr(2 + line.thread.size());
      if (!line.place.empty()) row += '\n' + std::string(indent, ' ') + line.place;
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + '\n';
    for (const std::string& caller : line.callers) {
      text += std::string(indent, ' ') + "called from " + caller + '\n';
    }
  }
  return text;
}

std::string cycle_line(const Explanation& explanation, const Describer& describer,
                       const TextStyle& style) {
  const std::vector<ThreadId>& cycle = explanation.cycle;
  if (cycle.size() < 2) return "";
  std::string text = "  a cycle: ";
  for (const ThreadId id : cycle) text += describer.thread(id) + " waits for ";
  return wrapped(text + describer.thread(cycle[0]), 4, style) + '\n';
}

std::string why_line(const Finding& finding, const Describer& describer, const TextStyle& style) {
  const std::string why = reason_for(finding, describer).sentence;
  return why.empty() ? "" : wrapped("  why: " + why, 4, style) + '\n';
}

std::string schedule_heading(const Finding& finding, const TextStyle& style) {
  std::string text = fmt::format("  schedule: {}", counted(finding.schedule.size(), "step"));
  if (finding.preemptions) {
    text += fmt::format(", {}", counted(*finding.preemptions, "preemption"));
    if (finding.is_least_preempted && *finding.preemptions > 0) text += " (it takes that many)";
  }
  return wrapped(text, 4, style) + '\n';
}

std::string legend(const Finding& finding, const Explanation& explanation, const TextStyle& style) {
  std::string text;
  const auto add = [&](const char* line) { text += wrapped(line, 4, style) + '\n'; };
  const bool preempts = std::any_of(explanation.steps.begin(), explanation.steps.end(),
                                    [](const ExplainedStep& step) { return step.preempts; });
  if (preempts) add("  * a preemption: the thread before it could have gone on");
  if (finding.critical) add("  ! the critical step: until then it could have ended well");
  return text;
}

std::string headline(const Finding& finding, const Describer& describer, const TextStyle& style) {
  const bool is_told_below = finding.kind() == FindingKind::Deadlock && !finding.unconfirmed;
  const std::string sentence = is_told_below ? who_is_stuck(finding) : message(finding, describer);
  const std::string kind = name_of(finding.kind());
  const std::string text = wrapped(kind + ": " + sentence, 2, style);
  return coloured(kind, Colour::Red, style) + text.substr(kind.size()) + '\n';
}

// What the search has done, and what a user should know about that.
std::string coverage_text(const Report& report, const TextStyle& style) {
  const Verdict& verdict = report.verdict;
  std::string text = wrapped(counts_text(verdict), 2, style) + samples_text(verdict, style) +
                     compared_text(report);
  for (const UnmodelledCall& call : verdict.unmodelled) {
    text += wrapped("unmodelled: " + sentence(call, report.describer), 2, style) + '\n';
  }
  for (const Remark<Note>& note : verdict.notes)
    text += wrapped("note: " + sentence(note), 2, style) + '\n';
  return text + plain_code_text(verdict, style);
}

Colour colour_of(const Verdict& verdict) {
  if (!verdict.findings.empty()) return Colour::Red;
  return verdict.complete() ? Colour::Green : Colour::Yellow;
}

// "error: 2 findings"
std::string found_text(const Verdict& verdict, const TextStyle& style) {
  return coloured(verdict_word(verdict), colour_of(verdict), style) + ": " +
         counted(verdict.findings.size(), "finding") + '\n';
}

}  // namespace

std::string schedule_text(const Finding& finding, const Explanation& explanation,
                          const Describer& describer, const TextStyle& style) {
  const std::string before = output_lines(finding.execution.output_before);
  if (finding.schedule.empty()) {
    return "  every schedule shows it: it happens before the first step\n" + before;
  }
  return schedule_heading(finding, style) + before +
         schedule_table(finding, explanation, describer, style) +
         legend(finding, explanation, style);
}

std::string verdict_text(const Verdict& verdict, const TextStyle& style) {
  const std::string found =
      verdict.findings.empty() ? "nothing found" : counted(verdict.findings.size(), "finding");
  const std::string word = verdict_word(verdict);
  const std::string text =
      wrapped(fmt::format("{}: {}; {}", word, found, guarantee_text(verdict)), 2, style);
  return coloured(word, colour_of(verdict), style) + text.substr(word.size()) + '\n';
}

std::string finding_report(const Finding& finding, const std::string& schedule,
                           const Report& report, const TextStyle& style) {
  const Describer& describer = report.describer;
  const Explanation explanation = explain(finding, report.bound);
  std::string text = headline(finding, describer, style);
  const std::string where = location(finding, describer);
  if (!where.empty()) text += "  at " + coloured(where, Colour::Cyan, style) + '\n';
  text += why_line(finding, describer, style);
  if (finding.count > 1) text += fmt::format("  seen in {} executions\n", finding.count);
  if (finding.threads.size() > 1)
    text += fmt::format("  between {}\n", fmt::join(thread_pairs(finding, describer), "; "));
  text += culprit_table(read_culprits(finding, explanation, describer), style) +
          cycle_line(explanation, describer, style) +
          schedule_text(finding, explanation, describer, style);
  if (!schedule.empty()) {
    text += fmt::format("  replay: {}\n", shell_command({"mazurka", "replay", schedule}));
    text += fmt::format("  simulate: {}\n",
                        shell_command({"mazurka", "sim", "--schedule=" + schedule}));
  }
  return text;
}

std::string text_report(const Report& report, const TextStyle& style) {
  const Verdict& verdict = report.verdict;
  if (verdict.findings.empty()) return verdict_text(verdict, style) + coverage_text(report, style);
  std::string text = found_text(verdict, style);
  for (size_t i = 0; i < verdict.findings.size(); ++i) {
    const std::string schedule = i < report.schedules.size() ? report.schedules[i] : "";
    text += '\n' + finding_report(verdict.findings[i], schedule, report, style);
  }
  return text + '\n' + wrapped("coverage: " + guarantee_text(verdict), 2, style) + '\n' +
         coverage_text(report, style);
}

}  // namespace mazurka
