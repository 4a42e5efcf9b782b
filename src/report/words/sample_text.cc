#include "report/words/sample_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/counted.h"

namespace mazurka {
namespace {

// A bug that was missed with a probability of at most one is nothing to tell.
constexpr double kCertain = 0.9995;

std::string shares_text(const Samples& samples) {
  if (samples.samplers.size() < 2)
    return samples.samplers.empty() ? "" : " (" + samples.samplers[0].search + ")";
  std::vector<std::string> shares;
  for (const SamplerCounts& its : samples.samplers)
    shares.push_back(fmt::format("{} {}", its.search, its.executions));
  return fmt::format(" ({})", fmt::join(shares, ", "));
}

// Rounded up: less than that would be too much.
std::string bound_text(const SamplerCounts& its) {
  const double missed = std::min(1.0, std::ceil(its.missed * 1000) / 1000);
  return fmt::format(
      "pct: a bug of depth {} that any outcomes show was missed with a probability of at most "
      "{:.3f} "
      "({}, {}, {})",
      its.bug_depth, missed, counted(its.counting, "execution"), counted(its.threads, "thread"),
      counted(its.steps, "step"));
}

}  // namespace

std::vector<std::string> sample_lines(const Samples& samples, bool is_all) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("sampled: {}{}, seed {}, {}{}, {} of them new in the last tenth",
                              counted(samples.executions, "execution"), shares_text(samples),
                              samples.seed, samples.traces_are_exact ? "" : "about ",
                              counted(samples.traces, "different trace"), samples.late_traces));
  if (is_all) return lines;
  for (const SamplerCounts& its : samples.samplers) {
    if (its.counting > 0 && its.missed < kCertain) lines.push_back(bound_text(its));
  }
  return lines;
}

}  // namespace mazurka
