// `mazurka estimate`: how large the search of a program is.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/options.h"
#include "cli/target.h"
#include "report/formats/estimate_report.h"
#include "report/words/size_text.h"

namespace mazurka {
namespace {

constexpr uint32_t kMostPreemptions = 2;
// Of the time, for each number of preemptions.
constexpr double kShareOfPreemptions = 0.1;
constexpr double kSlice_s = 0.2;

// In slices, so that a person sees how it is refined. Says what is wrong.
bool refine(SizeEstimator& estimator, double seconds, const Stop& stop, bool is_told) {
  for (double left = seconds; left > 0 && !stop.is_due(); left -= kSlice_s) {
    const Result<void> worked = estimator.work(std::min(left, kSlice_s));
    if (!worked) {
      complain(worked.error().message);
      return false;
    }
    if (!estimator.has_estimate()) continue;
    const TreeSize size = estimator.estimate().size;
    if (is_told) fmt::print(stderr, "\r\x1b[K{} executions", size_text(size));
    if (is_told) std::fflush(stderr);
    if (estimator.is_fine_enough()) break;
  }
  if (is_told) fmt::print(stderr, "\r\x1b[K");
  return true;
}

}  // namespace

ExitCode estimate_command(const std::vector<std::string>& arguments) {
  ExitCode exit_code = ExitCode::Ok;
  const std::optional<EstimateOptions> options = read_estimate_options(arguments, exit_code);
  if (!options) return exit_code;
  const Result<ProgramFile> file = inspect(options->command);
  if (!file || !output_is_writable(options->json)) {
    if (!file) complain(file.error().message);
    return ExitCode::Usage;
  }
  SearchOptions search = options->search;
  const double timeout_s = search.timeout_s;
  search.interrupted = &watch_interrupts();
  search.stop = std::make_shared<Stop>(search.interrupted, timeout_s);
  const Result<std::unique_ptr<Target>> target = launch(options->command, *file, search.stop);
  if (!target) {
    complain(target.error().message);
    return search.stop->is_overdue() ? ExitCode::Incomplete : ExitCode::Trouble;
  }
  // Its time is for passes, however slow the launch was.
  search.stop = std::make_shared<Stop>(search.interrupted, timeout_s);
  Program& program = (*target)->program();
  program.stop_by(search.stop);
  const bool is_told = isatty(STDERR_FILENO) == 1;
  SizeEstimator reverse(program, search);
  const double left_for_search = 1 - kShareOfPreemptions * (kMostPreemptions + 1);
  if (!refine(reverse, timeout_s * left_for_search, *search.stop, is_told))
    return ExitCode::Trouble;
  if (!reverse.has_estimate()) {
    complain("the time was over before anything could be said (--timeout)");
    return ExitCode::Incomplete;
  }
  std::vector<SizeEstimate> preemptions;
  for (uint32_t most = 0; most <= kMostPreemptions && !search.stop->is_due(); ++most) {
    SizeEstimator schedules(program, search, most);
    if (!refine(schedules, timeout_s * kShareOfPreemptions, *search.stop, is_told))
      return ExitCode::Trouble;
    if (schedules.has_estimate()) preemptions.push_back(schedules.estimate());
  }
  program.stop_by(nullptr);
  const std::unique_ptr<Places> places = (*target)->places();
  const Describer describer(program, places.get());
  const EstimateReport report = {reverse.estimate(), preemptions, search.seed, describer};
  fmt::print("{}", estimate_text(report, options->style));
  if (!options->json.empty()) exit_code = write_output(estimate_json(report), options->json);
  return exit_code;
}

}  // namespace mazurka
