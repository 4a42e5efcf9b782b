#include "lts/verify/verify.h"

#include <algorithm>
#include <chrono>

#include "base/check.h"
#include "lts/model/composition.h"
#include "lts/verify/counterexample.h"
#include "lts/verify/replay.h"
#include "lts/verify/shortest.h"
#include "lts/verify/stubborn_search.h"
#include "lts/verify/top_level_search.h"

namespace mazurka::lts {
namespace {

Algorithm choose(const Tester& tester, const VerifyOptions& options) {
  if (options.algorithm != Algorithm::Choose) return options.algorithm;
  if (options.all) return Algorithm::General;
  if (!tester.any(kInfinite)) return Algorithm::OnePass;
  if (tester.all(kLivelock)) return Algorithm::TwoPass;
  return Algorithm::General;
}

template <Lts L>
void search_with(Algorithm algorithm, L& lts, SearchState& search) {
  switch (algorithm) {
    case Algorithm::OnePass:
      return FrontierSearch<L, Form::OnePass>(lts, search).run(lts.initial(), 2);
    case Algorithm::TwoPass:
      return TopLevelSearch<L, Form::TwoPass>(lts, search).run();
    default:
      return TopLevelSearch<L, Form::General>(lts, search).run();
  }
}

template <Lts L>
std::vector<Lasso> counterexamples(L& lts, SearchState& search) {
  CounterexampleSearch<L> finder(lts, search);
  std::vector<Lasso> result;
  for (size_t kind = 0; kind < kViolationKinds; ++kind) {
    if (!search.witnesses[kind]) continue;
    result.push_back(finder.find(static_cast<ViolationKind>(kind), *search.witnesses[kind]));
  }
  if (search.loop_witness) result.push_back(finder.find_loop(*search.loop_witness));
  return result;
}

template <Lts L>
std::vector<Step> unpack(L& lts, const Path& path) {
  std::vector<Step> steps;
  for (const PathStep& step : path) steps.push_back({step.action, lts.unpack(step.node)});
  return steps;
}

int count_bits(unsigned levels) { return __builtin_popcount(levels); }

template <Lts L>
Verification verify_composition(L lts, const Network& system, const Tester& tester,
                                const VerifyOptions& options) {
  Verification result;
  result.algorithm = choose(tester, options);
  SearchState search(tester, system.actions.size(), options);
  const auto start = std::chrono::steady_clock::now();
  search_with(result.algorithm, lts, search);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.stopped = search.stopped;
  result.states = search.table.size();
  result.transitions = search.transitions;
  result.steps = search.steps;
  result.passes = count_bits(search.levels);
  const double states = static_cast<double>(std::max<uint64_t>(result.states, 1));
  result.bytes_per_state = static_cast<double>(search.budget.peak() + lts.bytes()) / states;
  result.table_bytes_per_state = static_cast<double>(search.table.bytes() + lts.bytes()) / states;
  for (Lasso& lasso : counterexamples(lts, search)) {
    if (options.shortest) lasso = ShortestSearch<L>(lts, search).improve(lasso);
    result.violations.push_back({lasso.kind, unpack(lts, lasso.prefix), unpack(lts, lasso.loop)});
    MAZURKA_CHECK(replays(result.violations.back(), system, tester));
  }
  return result;
}

}  // namespace

const char* name_of(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::OnePass:
      return "one-pass";
    case Algorithm::TwoPass:
      return "two-pass";
    case Algorithm::Stubborn:
      return "stubborn";
    default:
      return "general";
  }
}

Verification verify(const Network& system, const Tester& tester, const VerifyOptions& options) {
  if (options.algorithm == Algorithm::Stubborn) {
    return verify_by_stubborn_sets(system, tester, options);
  }
  const Moves moves(system, &tester, options.packing);
  if (moves.words() == 1) {
    return verify_composition(NarrowComposition(moves), system, tester, options);
  }
  return verify_composition(WideComposition(moves), system, tester, options);
}

}  // namespace mazurka::lts
