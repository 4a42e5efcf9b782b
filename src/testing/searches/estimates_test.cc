// What is said of the size of a search, against the search itself.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "explore/estimate/drawn_level.h"
#include "explore/estimate/size_estimate.h"
#include "testing/scripts/known_scripts.h"
#include "testing/scripts/random_script.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

uint64_t executions(const Script& script, const std::string& search,
                    std::optional<uint32_t> preemptions = std::nullopt, uint64_t most = 0) {
  ScriptedProgram program(script);
  SearchOptions options;
  options.search = search;
  options.preemptions = preemptions;
  options.keep_going = true;
  options.max_executions = most;
  const Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return verdict->counts.executions;
}

SizeEstimate estimated(const Script& script, uint64_t seed, uint64_t until,
                       std::optional<uint32_t> preemptions = std::nullopt) {
  ScriptedProgram program(script);
  SearchOptions options;
  options.seed = seed;
  SizeEstimator estimator(program, options, preemptions);
  EXPECT_TRUE(estimator.work_until(until));
  EXPECT_TRUE(estimator.has_estimate());
  return estimator.estimate();
}

bool contains(const TreeSize& size, uint64_t truth) {
  const double log = std::log(static_cast<double>(truth));
  return size.log_low <= log + 1e-9 && log <= size.log_high + 1e-9;
}

TEST(DrawnLevel, KeepsTheSumOfTheWeightsOnAverage) {
  constexpr size_t kNodes = 12;
  constexpr int kDraws = 20'000;
  Draws draws(5);
  DrawnLevel level;
  double sum = 0;
  double of_the_last = 0;
  for (int i = 0; i < kDraws; ++i) {
    level.begin(3);
    for (size_t node = 0; node < kNodes; ++node) {
      DrawnNode drawn;
      drawn.parent = static_cast<uint32_t>(node);
      drawn.log_weight = std::log(static_cast<double>(1 + node % 4));
      level.offer(drawn, static_cast<double>(node % 3), draws);
    }
    level.settle();
    EXPECT_EQ(level.nodes().size(), 3u);
    EXPECT_FALSE(level.is_whole());
    for (const DrawnNode& kept : level.nodes()) {
      sum += std::exp(kept.log_weight);
      if (kept.parent == kNodes - 1) of_the_last += std::exp(kept.log_weight);
    }
  }
  EXPECT_NEAR(sum / kDraws, 3 * (1 + 2 + 3 + 4), 0.5);
  EXPECT_NEAR(of_the_last / kDraws, 4, 0.2);
}

TEST(Estimates, SmallSearchesAreCounted) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Script script = random_script(seed);
    const uint64_t truth = executions(script, "optimal", std::nullopt, 100);
    if (truth >= 100) continue;
    const SizeEstimate estimate = estimated(script, seed + 1, 20'000);
    EXPECT_TRUE(estimate.size.is_exact) << to_string(script);
    EXPECT_NEAR(std::exp(estimate.size.log_mean), static_cast<double>(truth), 0.01)
        << to_string(script);
    EXPECT_TRUE(contains(estimate.size, truth));
  }
}

TEST(Estimates, TheTruthIsInTheRangeInNineOfTen) {
  const Script programs[] = {thread_philosophers(11), process_philosophers(10), readers(11),
                             last_zero(9), lock_counter(3, 3)};
  int inside = 0;
  int all = 0;
  for (const Script& script : programs) {
    const uint64_t truth = executions(script, "optimal");
    EXPECT_GT(truth, 1000u);
    double sum = 0;
    int inside_here = 0;
    constexpr int kSeeds = 24;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const SizeEstimate estimate = estimated(script, seed, 700);
      EXPECT_FALSE(estimate.size.is_exact);
      inside_here += contains(estimate.size, truth) ? 1 : 0;
      ++all;
      sum += std::exp(estimate.size.log_mean);
    }
    const double ratio = sum / kSeeds / static_cast<double>(truth);
    std::printf("%lu executions: %d of %d, the mean of the estimates is %.2f of that\n", truth,
                inside_here, kSeeds, ratio);
    inside += inside_here;
    EXPECT_NEAR(ratio, 1, 0.5) << truth;
  }
  EXPECT_GE(inside * 10, all * 9) << inside << " of " << all;
}

TEST(Estimates, SchedulesWithFewPreemptionsAreCountedToo) {
  const Script script = thread_philosophers(4);
  for (const uint32_t most : {0u, 1u, 2u}) {
    const uint64_t truth = executions(script, "preemptions", most);
    int inside = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed)
      inside += contains(estimated(script, seed, 1500, most).size, truth) ? 1 : 0;
    EXPECT_GE(inside, 8) << most << ": " << truth;
  }
}

TEST(Estimates, SayWhatIsReversed) {
  const SizeEstimate estimate = estimated(thread_philosophers(6), 1, 20'000);
  double sum = 0;
  for (const auto& [what, share] : estimate.reversed) {
    sum += share;
    EXPECT_NE(what.object, kNoObject);
    EXPECT_NE(what.first, what.second);
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_EQ(estimate.reversed.size(), 6u);
}

TEST(Estimates, YieldsAreCountedAsTheSearchDoes) {
  RandomScriptOptions wanted;
  wanted.features |= kWaitsForOthers;
  wanted.max_operations = 4;
  int compared = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Script script = random_script(seed, wanted);
    const uint64_t truth = executions(script, "optimal", std::nullopt, 200);
    if (truth >= 200) continue;
    const SizeEstimate estimate = estimated(script, 1, 20'000);
    if (!estimate.waits_for_others) continue;
    EXPECT_NEAR(std::exp(estimate.size.log_mean), static_cast<double>(truth), 0.01)
        << to_string(script);
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

}  // namespace
}  // namespace mazurka
