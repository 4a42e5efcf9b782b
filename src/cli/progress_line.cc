#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace mazurka {

ProgressLine::ProgressLine(bool wanted) : enabled_(wanted && isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const Progress& progress) {
  if (!enabled_) return;
  const double rate =
      progress.seconds > 0 ? static_cast<double>(progress.counts.executions) / progress.seconds : 0;
  fmt::print(stderr, "\r\x1b[K{} executions, {:.0f} per second, depth {}, {} findings",
             progress.counts.executions, rate, progress.depth, progress.findings);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace mazurka
