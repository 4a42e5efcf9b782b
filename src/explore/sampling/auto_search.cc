#include "explore/sampling/auto_search.h"

#include <algorithm>

#include "explore/optimal/optimal_run.h"
#include "explore/sampling/sample_run.h"

namespace mazurka {
namespace {

constexpr uint64_t kHead = 500;      // executions of `optimal` before the first samples
constexpr uint64_t kFirstTurn = 50;  // of each sampler
constexpr uint64_t kLongestTurn = 50 << 10;

// `pos` is the best of them where nothing is known of the program: it has two shares.
std::vector<SampleRun> portfolio(SampleShared& shared) {
  std::vector<SampleRun> runs;
  runs.emplace_back(shared, "pos", Policy::Pos);
  runs.emplace_back(shared, "pct", Policy::Pct);
  runs.emplace_back(shared, "surw", Policy::Surw);
  runs.emplace_back(shared, "random", Policy::Random);
  return runs;
}
constexpr uint64_t kShares = 5;

bool all_work(std::vector<SampleRun>& runs, uint64_t count) {
  return runs[0].work(count) &&
         std::all_of(runs.begin(), runs.end(), [count](SampleRun& run) { return run.work(count); });
}

// Of a turn of `full`: less where the search may soon be through, but never less than half of it,
// because that is a rough estimate: by it alone SafeStack got one sample for 14 other executions.
uint64_t samples_in_turn(uint64_t full, double done) {
  const double share = std::max(1.0 - 4 * done, 1.0 / 2);
  return std::max<uint64_t>(static_cast<uint64_t>(static_cast<double>(full) * share), 1);
}

}  // namespace

Verdict auto_search(Program& program, const SearchOptions& options) {
  Session session(program, options);
  Crew crew(program, session, options);
  OptimalRun optimal(session, crew, options);
  SampleShared shared{session, crew, program, options, true};
  std::vector<SampleRun> samplers = portfolio(shared);
  bool is_through = optimal.work(session.executions() + kHead);
  uint64_t turn = kFirstTurn;
  while (!is_through && session.may_go_on()) {
    all_work(samplers, samples_in_turn(turn, session.done()));
    is_through = optimal.work(session.executions() + kShares * turn);
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
