#include "explore/findings/finding_collection.h"

#include <gtest/gtest.h>

#include "testing/searches/fake_program.h"

namespace mazurka {
namespace {

// Runs the empty plan and collects what it shows.
std::vector<Finding> collect(FakeProgram& program, int times = 1) {
  FindingCollection collection(program, {});
  for (int i = 0; i < times; ++i) {
    Execution execution;
    EXPECT_TRUE(program.run({}, execution));
    EXPECT_TRUE(collection.add(program, {}, execution));
  }
  return collection.take();
}

void fail_second(Execution& e) { e.transitions.at(1).op.kind = OpKind::Assertion; }

TEST(FindingCollection, ReplaysAFindingWithItsWholeScheduleAndStacks) {
  FakeProgram program({3});
  std::vector<Plan> plans;
  program.change = [&](const Plan& plan, Execution& e) {
    plans.push_back(plan);
    fail_second(e);
  };
  const std::vector<Finding> findings = collect(program);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind(), FindingKind::Assertion);
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_TRUE(plans[1].stacks);
  EXPECT_EQ(plans[1].prefix.size(), 2u);
  EXPECT_EQ(plans[1].prefix[1].kind, OpKind::Assertion);
}

TEST(FindingCollection, ReplaysTheSameFindingOnlyOnce) {
  FakeProgram program({3});
  program.change = [](const Plan&, Execution& e) { fail_second(e); };
  const std::vector<Finding> findings = collect(program, 5);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].count, 5u);
  EXPECT_EQ(program.runs, 6);
}

TEST(FindingCollection, WhatDoesNotShowAgainIsNondeterminism) {
  FakeProgram program({3});
  program.change = [](const Plan& plan, Execution& e) {
    if (!plan.stacks) fail_second(e);
  };
  const std::vector<Finding> findings = collect(program, 2);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind(), FindingKind::Nondeterminism);
  EXPECT_EQ(findings[0].unconfirmed, FindingKind::Assertion);
  EXPECT_EQ(findings[0].schedule.size(), 2u);
  EXPECT_EQ(findings[0].count, 2u);
  EXPECT_EQ(culprits(findings[0]).at(0).op->kind, OpKind::Assertion);
}

TEST(FindingCollection, ScheduleOfNondeterminismEndsWithTheStepThatWasPlanned) {
  FakeProgram program({3});
  program.change = [](const Plan&, Execution& e) {
    e.transitions.resize(1);
    e.end = End::Nondeterminism;
    e.position = 1;
  };
  Plan plan;
  plan.prefix.assign(3, {{kMainThread, 0}, OpKind::MutexLock, {}, ObjectId(0)});
  Execution execution;
  ASSERT_TRUE(program.run(plan, execution));
  FindingCollection collection(program, {});
  ASSERT_TRUE(collection.add(program, plan, execution));
  const std::vector<Finding> findings = collection.take();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].schedule.size(), 2u);
  EXPECT_FALSE(findings[0].unconfirmed);
}

TEST(FindingCollection, TroubleInAReplayIsAnError) {
  FakeProgram program({3});
  program.change = [](const Plan& plan, Execution& e) {
    fail_second(e);
    if (plan.stacks) e.end = End::Trouble;
  };
  FindingCollection collection(program, {});
  Execution execution;
  ASSERT_TRUE(program.run({}, execution));
  EXPECT_FALSE(collection.add(program, {}, execution));
}

}  // namespace
}  // namespace mazurka
