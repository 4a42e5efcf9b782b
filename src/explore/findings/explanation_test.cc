#include "explore/findings/explanation.h"

#include <gtest/gtest.h>

#include "explore/engine/search.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

Instruction lock(ObjectId m) { return operate({.kind = OpKind::MutexLock, .object = m}); }
Instruction unlock(ObjectId m) { return operate({.kind = OpKind::MutexUnlock, .object = m}); }

Finding first_finding(const Script& script) {
  ScriptedProgram program(script);
  SearchOptions options;
  options.search = "optimal";
  options.minimize = true;
  const Result<Verdict> verdict = explore(program, options);
  EXPECT_TRUE(verdict);
  return verdict->findings.at(0);
}

TEST(Explanation, SaysWhoWaitsForWhomInACycle) {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  const ObjectId b = script.add({.kind = ObjectKind::Mutex});
  const ObjectId own = script.add({.kind = ObjectKind::Mutex});
  script.bodies.push_back({spawn(1), spawn(2), join_child(1), join_child(2)});
  script.bodies.push_back({lock(own), unlock(own), lock(a), lock(b), unlock(b), unlock(a)});
  script.bodies.push_back({lock(b), lock(a), unlock(a), unlock(b)});
  const Explanation explanation = explain(first_finding(script), 0);
  ASSERT_EQ(explanation.waits.size(), 3u);
  EXPECT_EQ(explanation.waits[0].thread, kMainThread);
  EXPECT_EQ(explanation.waits[0].holders, std::vector{ThreadId(1)});
  EXPECT_EQ(explanation.waits[1].holders, std::vector{ThreadId(2)});
  EXPECT_EQ(explanation.waits[2].holders, std::vector{ThreadId(1)});
  EXPECT_EQ(explanation.cycle, (std::vector{ThreadId(1), ThreadId(2)}));
}

TEST(Explanation, WhatOnlyOneThreadTouchesDoesNotMatter) {
  Script script;
  const ObjectId a = script.add({.kind = ObjectKind::Mutex});
  const ObjectId own = script.add({.kind = ObjectKind::Mutex});
  script.bodies.push_back({spawn(1), join_child(1), lock(a)});
  script.bodies.push_back({lock(own), unlock(own), lock(a)});
  const Finding finding = first_finding(script);
  const Explanation explanation = explain(finding, 0);
  ASSERT_EQ(finding.schedule.size(), 4u);  // the join is the last
  EXPECT_FALSE(explanation.steps[0].matters);
  EXPECT_FALSE(explanation.steps[1].matters);
  EXPECT_TRUE(explanation.steps[2].matters);
  EXPECT_TRUE(explanation.steps[3].matters);
  EXPECT_EQ(explanation.edges, (std::vector<std::pair<uint32_t, uint32_t>>{{2, 3}}));
}

TEST(Explanation, AWaiterThatNobodyWakesWaitsForNobody) {
  Script script;
  const ObjectId s = script.add({.kind = ObjectKind::Semaphore});
  script.bodies.push_back({operate({.kind = OpKind::SemWait, .object = s})});
  const Explanation explanation = explain(first_finding(script), 0);
  ASSERT_EQ(explanation.waits.size(), 1u);
  EXPECT_TRUE(explanation.waits[0].holders.empty());
  EXPECT_TRUE(explanation.cycle.empty());
}

}  // namespace
}  // namespace mazurka
