// `mazurka lts extract`: writes the events of a program as an LTS.
#include <fmt/format.h>

#include "cli/interrupts.h"
#include "cli/lts/lts_commands.h"
#include "cli/options.h"
#include "cli/progress_line.h"
#include "cli/target.h"
#include "explore/trace/event_tree.h"
#include "lts/model/aut_file.h"
#include "report/formats/text_report.h"
#include "report/words/remark_text.h"

namespace mazurka {
namespace {

Verdict search(const ExtractOptions& options, Program& program, EventTree& tree) {
  ProgressLine line(true);
  SearchOptions search = options.search;
  search.keep_going = true;
  search.interrupted = &watch_interrupts();
  search.progress = [&line](const Progress& progress) { line.show(progress); };
  search.on_start_anew = [&tree] { tree = {}; };
  search.on_execution = [&](const Execution& execution) { tree.add(execution, program); };
  Result<Verdict> verdict = explore(program, search);
  MAZURKA_CHECK(verdict.ok());  // the options were read with the same names
  return std::move(*verdict);
}

ExitCode write(const EventTree& tree, const std::string& output) {
  const Result<ExtractedLts> extracted = tree.extract();
  if (!extracted) {
    complain(extracted.error().message);
    return ExitCode::Usage;
  }
  return write_output(lts::write_aut(extracted->lts, extracted->actions), output);
}

ExitCode extract(const ExtractOptions& options, Program& program) {
  EventTree tree;
  const Verdict verdict = search(options, program, tree);
  if (const ExitCode written = write(tree, options.output); written != ExitCode::Ok) return written;
  if (verdict.trouble) {
    complain(verdict.trouble->message);
    return ExitCode::Trouble;
  }
  // The LTS is what was asked for; findings do not change it, and are not shown.
  if (!verdict.findings.empty()) {
    complain(fmt::format("the program has {} finding{}, which 'mazurka check' shows",
                         verdict.findings.size(), verdict.findings.size() == 1 ? "" : "s"));
  }
  if (verdict.complete()) return ExitCode::Ok;
  complain("the events are not all there: " + joined_sentences(verdict.why_incomplete));
  return ExitCode::Incomplete;
}

}  // namespace

ExitCode lts_extract_command(const std::vector<std::string>& arguments) {
  ExitCode exit_code = ExitCode::Ok;
  const std::optional<ExtractOptions> options = read_extract_options(arguments, exit_code);
  if (!options) return exit_code;
  const Result<ProgramFile> file = inspect(options->command);
  if (!file) {
    complain(file.error().message);
    return ExitCode::Usage;
  }
  if (!output_is_writable(options->output)) return ExitCode::Usage;
  const Result<std::unique_ptr<Target>> target = launch(options->command, *file);
  if (!target) {
    complain(target.error().message);
    return ExitCode::Trouble;
  }
  return extract(*options, (*target)->program());
}

}  // namespace mazurka
