#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report/words/size_text.h"

namespace mazurka {
namespace {

// Before that an estimate is a guess, and its rest of time nonsense.
constexpr double kLeastDone = 1e-4;
constexpr double kLongestRest = 100 * 3600;

uint64_t all_executions(const Counts& counts) {
  return counts.executions + counts.blocked_executions + counts.sampled_executions;
}

const char* done_what(DoneOf what) {
  switch (what) {
    case DoneOf::All:
      return "done";
    case DoneOf::Round:
      return "of this round done";
    case DoneOf::Known:
      return "of what is known so far done";
  }
  return "done";
}

// The share that is done, and the time that is left: of what is known, not of what is hoped.
std::string done_text(const Progress& progress) {
  const std::string of_all =
      progress.size ? fmt::format(", of {}", size_text(*progress.size)) : std::string();
  if (progress.done < kLeastDone) {
    if (progress.size || progress.done <= 0) return of_all;
    return ", hardly begun";
  }
  const double done = std::min(progress.done, 1.0);
  const double left = progress.seconds * (1 - done) / done;
  std::string text = of_all + fmt::format(", about {:.{}f} % {}", 100 * done, done < 0.01 ? 2 : 0,
                                          done_what(progress.done_of));
  // Nobody knows how much more there will be to do where this is not a share of all.
  if (progress.done_of == DoneOf::All && left < kLongestRest)
    text += fmt::format(", {} left", duration_text(std::log(left)));
  return text;
}

}  // namespace

std::string progress_text(const Progress& progress) {
  const double rate =
      progress.seconds > 0 ? static_cast<double>(progress.counts.executions) / progress.seconds : 0;
  return fmt::format("{} executions, {:.0f} per second, depth {}, {} finding{}{}",
                     progress.counts.executions, rate, progress.depth, progress.findings,
                     progress.findings == 1 ? "" : "s", done_text(progress));
}

void EstimateRecord::add(const Progress& progress) {
  // A search that has started again counts from 0 again.
  if (progress.round != round_) samples_.clear();
  round_ = progress.round;
  if (progress.done > 0) samples_.push_back({all_executions(progress.counts), progress.done});
}

std::string EstimateRecord::error_text(const Verdict& verdict) const {
  const bool was_run_to_its_end = verdict.guarantee != Guarantee::Sampled;
  const auto all = static_cast<double>(all_executions(verdict.counts));
  if (samples_.empty() || !was_run_to_its_end || all == 0) return "";
  double sum = 0;
  double most = 0;
  for (const Sample& sample : samples_) {
    const double error = std::abs(static_cast<double>(sample.executions) / all - sample.done);
    sum += error;
    most = std::max(most, error);
  }
  return fmt::format("the estimate was off by {:.0f} % of the {} on average, by {:.0f} % at most",
                     100 * sum / static_cast<double>(samples_.size()),
                     round_ > 0 ? "last round" : "search", 100 * most);
}

ProgressLine::ProgressLine(bool wanted) : enabled_(wanted && isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const Progress& progress) {
  if (!enabled_) return;
  record_.add(progress);
  fmt::print(stderr, "\r\x1b[K{}", progress_text(progress));
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

void ProgressLine::conclude(const Verdict& verdict) {
  clear();
  const std::string text = record_.error_text(verdict);
  if (!text.empty()) fmt::print(stderr, "{}\n", text);
}

}  // namespace mazurka
