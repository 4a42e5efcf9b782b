#include "explore/engine/growing_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace mazurka {
namespace {

// A program of one thread that makes `ends` transitions, and has an error at the transition `error`
// (0: none).
struct OneThread {
  uint32_t ends = UINT32_MAX;
  uint32_t error = 0;
  std::vector<uint32_t> bounds = {};

  Verdict operator()(const SearchOptions& options) {
    const Limits& limits = options.limits;
    bounds.push_back(limits.bound);
    const uint32_t most = limits.bound == 0 ? limits.depth : std::min(limits.bound, limits.depth);
    Verdict verdict;
    verdict.counts.executions = 1;
    if (ends > most) {
      verdict.guarantee = Guarantee::Bounded;
      verdict.why_incomplete.push_back(most == limits.depth
                                           ? Remark<WhyIncomplete>(WhyIncomplete::Depth, most)
                                           : Remark<WhyIncomplete>(WhyIncomplete::Bound, most));
    }
    if (error > 0 && error <= most && limits.bound > 0) verdict.findings.emplace_back();
    return verdict;
  }
};

Verdict searched(OneThread& program, SearchOptions options = {}) {
  options.limits.depth = 100;
  return search_with_growing_bound(std::ref(program), options);
}

TEST(GrowingBound, ProgramThatEndsIsSearchedWithoutOne) {
  OneThread program{20};
  EXPECT_TRUE(searched(program).complete());
  EXPECT_EQ(program.bounds, std::vector<uint32_t>{0});
}

TEST(GrowingBound, GrowsUpToTheDepthAndSaysTheLastThatWasWhole) {
  OneThread program;
  const Verdict verdict = searched(program);
  EXPECT_EQ(program.bounds, (std::vector<uint32_t>{0, 4, 8, 16, 32, 64, 128}));
  EXPECT_EQ(verdict.guarantee, Guarantee::Bounded);
  EXPECT_EQ(verdict.why_incomplete, (Remarks<WhyIncomplete>{{WhyIncomplete::GrownBound, 64}}));
  EXPECT_EQ(verdict.counts.executions, 7u);
}

TEST(GrowingBound, StopsWhereSomethingIsFound) {
  OneThread program{UINT32_MAX, 10};
  const Verdict verdict = searched(program);
  EXPECT_EQ(program.bounds, (std::vector<uint32_t>{0, 4, 8, 16}));
  EXPECT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.bound, 16u);
  EXPECT_FALSE(verdict.complete());
}

TEST(GrowingBound, CountsTheExecutionsOfAllBoundsAgainstTheirLimit) {
  OneThread program;
  SearchOptions options;
  options.max_executions = 3;
  const Verdict verdict = searched(program, options);
  EXPECT_EQ(program.bounds, (std::vector<uint32_t>{0, 4, 8}));
  EXPECT_EQ(verdict.counts.executions, 3u);
}

}  // namespace
}  // namespace mazurka
