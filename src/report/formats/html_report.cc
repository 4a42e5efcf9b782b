#include "report/formats/html_report.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "explore/findings/explanation.h"
#include "report/formats/text_report.h"
#include "report/words/finding_text.h"
#include "report/words/quoting.h"
#include "report/words/reason.h"
#include "report/words/source_files.h"
#include "report/words/source_location.h"

namespace mazurka {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kLinesAround = 20;

// Which lines of which files the page shows.
class Excerpts {
 public:
  // The place as the page has it; null if it is not known.
  Json place(const std::string& location) {
    const SourceLocation found = source_location(location);
    if (found.file.empty()) return nullptr;
    const int first = std::max(1, found.line - kLinesAround);
    for (int line = first; line <= found.line + kLinesAround; ++line) {
      wanted_[found.file].insert(line);
    }
    return {{"file", found.file}, {"line", found.line}};
  }

  // File -> [[number, text], ...]
  Json json() {
    Json files = Json::object();
    for (const auto& [file, numbers] : wanted_) {
      const std::vector<std::string>& lines = files_.lines(file);
      Json excerpt = Json::array();
      for (const int number : numbers) {
        if (static_cast<size_t>(number) > lines.size()) break;
        excerpt.push_back({number, lines[static_cast<size_t>(number) - 1]});
      }
      files[file] = std::move(excerpt);
    }
    return files;
  }

 private:
  std::map<std::string, std::set<int>> wanted_;
  SourceFiles files_;
};

std::vector<ThreadId> threads_of(const Finding& finding, size_t steps) {
  std::set<ThreadId> threads;
  for (size_t i = 0; i < steps; ++i) {
    threads.insert(finding.execution.transitions[i].choice.thread);
  }
  for (const Culprit& culprit : culprits(finding)) threads.insert(culprit.thread);
  return {threads.begin(), threads.end()};
}

size_t place_of(ThreadId thread, const std::vector<ThreadId>& threads) {
  return static_cast<size_t>(std::find(threads.begin(), threads.end(), thread) - threads.begin());
}

Json steps_json(const Finding& finding, const Explanation& explanation,
                const std::vector<ThreadId>& threads, const Describer& describer,
                Excerpts& excerpts) {
  Json steps = Json::array();
  for (size_t i = 0; i < explanation.steps.size(); ++i) {
    const Transition& made = finding.execution.transitions[i];
    steps.push_back({{"thread", place_of(made.choice.thread, threads)},
                     {"what", describer.transition(made)},
                     {"place", excerpts.place(describer.location(made.place))},
                     {"preempts", explanation.steps[i].preempts},
                     {"matters", explanation.steps[i].matters},
                     {"critical", finding.critical == i}});
  }
  return steps;
}

// Where each blocked or failing thread stands in the end.
Json ends_json(const Finding& finding, const Explanation& explanation,
               const std::vector<ThreadId>& threads, const Describer& describer,
               Excerpts& excerpts) {
  Json ends = Json::array();
  const std::vector<Culprit> all = culprits(finding);
  for (size_t i = 0; i < all.size(); ++i) {
    Json holders = Json::array();
    if (i < explanation.waits.size()) {
      for (const ThreadId id : explanation.waits[i].holders)
        holders.push_back(describer.thread(id));
    }
    ends.push_back({{"thread", place_of(all[i].thread, threads)},
                    {"what", describer.operation(*all[i].op, *all[i].parts)},
                    {"place", excerpts.place(describer.location(*all[i].place))},
                    {"holders", std::move(holders)}});
  }
  return ends;
}

Json finding_json(const Finding& finding, const std::string& schedule, const Report& report,
                  Excerpts& excerpts) {
  const Describer& describer = report.describer;
  const Explanation explanation = explain(finding, report.bound);
  const std::vector<ThreadId> threads = threads_of(finding, explanation.steps.size());
  Json names = Json::array();
  for (const ThreadId id : threads) {
    names.push_back(
        {{"name", describer.thread(id)}, {"role", describer.thread_role(id, finding.execution)}});
  }
  Json edges = Json::array();
  for (const auto& [from, to] : explanation.edges) edges.push_back({from, to});
  Json json = {
      {"kind", name_of(finding.kind())},
      {"message", message(finding, describer)},
      {"why", reason_for(finding, describer).sentence},
      {"count", finding.count},
      {"threads", std::move(names)},
      {"steps", steps_json(finding, explanation, threads, describer, excerpts)},
      {"edges", std::move(edges)},
      {"ends", ends_json(finding, explanation, threads, describer, excerpts)},
      {"place", excerpts.place(location(finding, describer))},
  };
  if (finding.preemptions) json["preemptions"] = *finding.preemptions;
  if (!schedule.empty()) json["replay"] = shell_command({"mazurka", "replay", schedule});
  return json;
}

// Inside of <script>, "</script" would end it and "<!--" begin a comment, in strings, too.
std::string for_script(std::string json) {
  for (size_t at = 0; (at = json.find('<', at)) != std::string::npos;) {
    json.replace(at, 1, "\\u003c");
  }
  return json;
}

}  // namespace

std::string html_report(const Report& report) {
  const Verdict& verdict = report.verdict;
  Excerpts excerpts;
  Json findings = Json::array();
  for (size_t i = 0; i < verdict.findings.size(); ++i) {
    const std::string schedule = i < report.schedules.size() ? report.schedules[i] : "";
    findings.push_back(finding_json(verdict.findings[i], schedule, report, excerpts));
  }
  const Json data = {
      {"command", shell_command(report.command)}, {"word", verdict_word(verdict)},
      {"verdict", verdict_text(verdict)},         {"search", verdict.search},
      {"executions", verdict.counts.executions},  {"transitions", verdict.counts.transitions},
      {"depth", verdict.counts.max_depth},        {"seconds", verdict.seconds},
      {"findings", std::move(findings)},          {"sources", excerpts.json()},
  };
  std::string page = kHtmlTemplate;
  page.replace(page.find(kHtmlData), sizeof kHtmlData - 1,
               for_script(data.dump(-1, ' ', true, Json::error_handler_t::replace)));
  return page;
}

}  // namespace mazurka
