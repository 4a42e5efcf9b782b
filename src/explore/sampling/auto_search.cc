#include "explore/sampling/auto_search.h"

#include <algorithm>
#include <cmath>

#include "explore/estimate/known_size.h"
#include "explore/optimal/optimal_run.h"
#include "explore/sampling/sample_run.h"

namespace mazurka {
namespace {

constexpr uint64_t kHead = 500;       // executions of `optimal` before the first samples
constexpr uint64_t kFirstTurn = 250;  // of `optimal`
constexpr uint64_t kLongestTurn = 250 << 10;

// Of the portfolio: a sampler, and its share of a turn of samples: `pos` is the best of them where
// nothing is known of the program.
struct Member {
  const char* name;
  Policy policy;
  uint64_t share;
};
constexpr Member kSamplers[] = {{"pos", Policy::Pos, 4},
                                {"pct", Policy::Pct, 1},
                                {"surw", Policy::Surw, 1},
                                {"random", Policy::Random, 1},
                                {"lag", Policy::Lag, 1}};
constexpr uint64_t kShares = 8;

// Who shows few new traces has a smaller part of the next turn.
constexpr double kStale = 0.25;  // of the best
constexpr uint64_t kPartOfTheStale = 4;

bool all_work(std::vector<SampleRun>& runs, double count) {
  double best = 0;
  for (const SampleRun& run : runs) best = std::max(best, run.freshness());
  std::vector<uint64_t> parts;
  for (size_t i = 0; i < runs.size(); ++i) {
    auto part = static_cast<uint64_t>(count * static_cast<double>(kSamplers[i].share) / kShares);
    if (runs[i].freshness() < kStale * best) part /= kPartOfTheStale;
    parts.push_back(std::max<uint64_t>(part, 1));
  }
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].work(parts[i])) return false;
  }
  return true;
}

// How many samples there are for one execution of the search: few where it is soon through, and
// most of all where it never will be.
double samples_for_one(std::optional<double> log_size) {
  constexpr std::pair<double, double> kUpTo[] = {{20e3, 0.2}, {200e3, 0.5}, {2e6, 1}};
  if (!log_size) return 1;
  for (const auto& [size, samples] : kUpTo) {
    if (*log_size <= std::log(size)) return samples;
  }
  return 4;
}

}  // namespace

Verdict auto_search(Program& program, const SearchOptions& options) {
  Session session(program, options);
  Crew crew(program, session, options);
  OptimalRun optimal(session, crew, options);
  SampleShared shared{session, crew, program, options, true};
  std::vector<SampleRun> samplers;
  for (const Member& sampler : kSamplers)
    samplers.emplace_back(shared, sampler.name, sampler.policy);
  KnownSize size(program, session, options);
  bool is_through = optimal.work(session.executions() + kHead);
  uint64_t turn = kFirstTurn;
  while (!is_through && session.may_go_on()) {
    size.refine();
    all_work(samplers, static_cast<double>(turn) * samples_for_one(size.log_size()));
    is_through = optimal.work(session.executions() + turn);
    turn = std::min(2 * turn, kLongestTurn);
  }
  Verdict verdict = session.finish(is_through);
  if (shared.traces.executions() == 0) {
    verdict.search = "optimal";  // all that was done
  } else {
    verdict.samples = samples_of(shared, samplers);
  }
  return verdict;
}

}  // namespace mazurka
