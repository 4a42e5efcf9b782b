// Bisimulations and traces, on known pairs and against naive definitions on random LTSs.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "lts/equivalence/bisimulation.h"
#include "lts/equivalence/traces.h"
#include "lts/model/aut_file.h"

namespace mazurka::lts {
namespace {

class Pair {
 public:
  Pair(const std::string& first, const std::string& second)
      : a(*read_aut(first, "a", actions)), b(*read_aut(second, "b", actions)) {}
  bool traces() const { return compare_traces(a, b, SIZE_MAX).equal; }

  ActionTable actions;
  ExplicitLts a;
  ExplicitLts b;
};

TEST(Equivalence, ABranchingChoiceHasTheSameTracesButIsNotBisimilar) {
  const Pair pair("des (0,3,4)\n(0,a,1)\n(1,b,2)\n(1,c,3)",
                  "des (0,4,5)\n(0,a,1)\n(0,a,2)\n(1,b,3)\n(2,c,4)");
  EXPECT_TRUE(pair.traces());
  EXPECT_FALSE(bisimilar(pair.a, pair.b, Equivalence::Strong));
  EXPECT_FALSE(bisimilar(pair.a, pair.b, Equivalence::Branching));
}

TEST(Equivalence, AnInertInternalStepIsOnlyStronglyDifferent) {
  const Pair pair("des (0,1,2)\n(0,a,1)", "des (0,4,4)\n(0,tau,1)\n(1,tau,0)\n(1,a,2)\n(2,i,3)");
  EXPECT_TRUE(pair.traces());
  EXPECT_FALSE(bisimilar(pair.a, pair.b, Equivalence::Strong));
  EXPECT_TRUE(bisimilar(pair.a, pair.b, Equivalence::Branching));
}

TEST(Equivalence, AnInternalStepThatDecidesIsNotInert) {
  const Pair pair("des (0,2,3)\n(0,a,1)\n(0,b,2)", "des (0,3,4)\n(0,tau,1)\n(0,a,2)\n(1,b,3)");
  EXPECT_FALSE(bisimilar(pair.a, pair.b, Equivalence::Branching));
}

TEST(Equivalence, ADifferenceInTracesIsShown) {
  const Pair pair("des (0,3,3)\n(0,a,1)\n(1,tau,2)\n(2,b,0)", "des (0,1,2)\n(0,a,1)");
  const TraceComparison result = compare_traces(pair.a, pair.b, SIZE_MAX);
  EXPECT_FALSE(result.equal);
  EXPECT_TRUE(result.first_has_it);
  ASSERT_EQ(result.trace.size(), 2u);
  EXPECT_EQ(pair.actions.name(result.trace[1]), "b");
}

TEST(Equivalence, ComparingTracesStopsWhenNoMemoryIsLeft) {
  const Pair pair("des (0,1,1)\n(0,a,0)", "des (0,2,2)\n(0,a,1)\n(1,a,0)");
  EXPECT_EQ(compare_traces(pair.a, pair.b, 1).stopped, StopReason::Memory);
  EXPECT_EQ(reduce_traces(pair.a, 1), std::nullopt);
}

ExplicitLts random_lts(std::mt19937_64& random) {
  const uint32_t states = static_cast<uint32_t>(random() % 6 + 1);
  std::vector<Transition> transitions;
  for (uint64_t i = random() % (2 * states + 1); i > 0; --i) {
    const uint32_t action[] = {0, 0, 2, 3};
    transitions.push_back({static_cast<uint32_t>(random() % states), ActionId{action[random() % 4]},
                           static_cast<uint32_t>(random() % states)});
  }
  return ExplicitLts(0, states, transitions);
}

using Relation = std::set<std::pair<uint32_t, uint32_t>>;

// s -tau*-> u inside the relation to t, then u -a-> v, with v related to t'.
bool can_answer(const ExplicitLts& lts, const Relation& relation, uint32_t t, uint32_t s,
                const Edge& move, bool branching) {
  if (!branching) {
    for (const Edge& edge : lts.edges(s, move.action)) {
      if (relation.count({move.target, edge.target}) > 0) return true;
    }
    return false;
  }
  if (move.action == kTau && relation.count({move.target, s}) > 0) return true;
  std::set<uint32_t> silent = {s};
  std::vector<uint32_t> queue = {s};
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const Edge& edge : lts.edges(queue[i])) {
      if (relation.count({t, queue[i]}) > 0 && edge.action == move.action &&
          relation.count({move.target, edge.target}) > 0) {
        return true;
      }
      if (edge.action == kTau && silent.insert(edge.target).second) queue.push_back(edge.target);
    }
  }
  return false;
}

// The greatest bisimulation, by removing pairs as the definition says.
Relation greatest_bisimulation(const ExplicitLts& lts, bool branching) {
  Relation relation;
  for (uint32_t s = 0; s < lts.state_count(); ++s) {
    for (uint32_t t = 0; t < lts.state_count(); ++t) relation.insert({s, t});
  }
  const auto fails = [&](const std::pair<uint32_t, uint32_t>& pair) {
    for (const Edge& move : lts.edges(pair.first)) {
      if (!can_answer(lts, relation, pair.first, pair.second, move, branching)) return true;
    }
    return relation.count({pair.second, pair.first}) == 0;
  };
  while (true) {
    const auto bad = std::find_if(relation.begin(), relation.end(), fails);
    if (bad == relation.end()) return relation;
    relation.erase(bad);
  }
}

TEST(Equivalence, BlocksAreTheGreatestBisimulationOnRandomLtss) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 5000; ++i) {
    const ExplicitLts lts = random_lts(random);
    for (const Equivalence by : {Equivalence::Strong, Equivalence::Branching}) {
      const std::vector<uint32_t> blocks = bisimulation_blocks(lts, by);
      const Relation expected = greatest_bisimulation(lts, by == Equivalence::Branching);
      for (uint32_t s = 0; s < lts.state_count(); ++s) {
        for (uint32_t t = 0; t < lts.state_count(); ++t) {
          ASSERT_EQ(blocks[s] == blocks[t], expected.count({s, t}) > 0)
              << "LTS " << i << ", states " << s << " and " << t << "\n"
              << write_aut(lts, ActionTable());
        }
      }
    }
  }
}

TEST(Equivalence, AReducedLtsIsEquivalentAndNotLarger) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 5000; ++i) {
    const ExplicitLts lts = random_lts(random);
    for (const Equivalence by : {Equivalence::Strong, Equivalence::Branching}) {
      const ExplicitLts reduced = reduce_bisimilar(lts, by);
      ASSERT_TRUE(bisimilar(lts, reduced, by));
      ASSERT_LE(reduced.state_count(), lts.state_count());
      ASSERT_EQ(reduce_bisimilar(reduced, by).state_count(), reduced.state_count());
    }
    const std::optional<ExplicitLts> traces = reduce_traces(lts, SIZE_MAX);
    ASSERT_TRUE(traces.has_value());
    ASSERT_TRUE(compare_traces(lts, *traces, SIZE_MAX).equal);
  }
}

TEST(Equivalence, ALongChainIsRefinedInReasonableTime) {
  constexpr uint32_t kLength = 200000;
  std::vector<Transition> transitions;
  for (uint32_t s = 0; s + 1 < kLength; ++s) transitions.push_back({s, ActionId{2}, s + 1});
  const ExplicitLts chain(0, kLength, transitions);
  EXPECT_EQ(reduce_bisimilar(chain, Equivalence::Strong).state_count(), kLength);
  EXPECT_EQ(reduce_bisimilar(chain, Equivalence::Branching).state_count(), kLength);
}

}  // namespace
}  // namespace mazurka::lts
