#include "explore/classic/plain_search.h"

#include <gtest/gtest.h>

#include <set>

#include "testing/searches/fake_program.h"

namespace mazurka {
namespace {

using Schedule = std::vector<uint16_t>;

Schedule threads_of(const Execution& execution) {
  Schedule schedule;
  for (const Transition& t : execution.transitions) schedule.push_back(index(t.choice.thread));
  return schedule;
}

SearchOptions keep_going() {
  SearchOptions options;
  options.keep_going = true;
  return options;
}

TEST(PlainSearch, RunsEveryInterleavingOnce) {
  FakeProgram program({3, 2, 1});
  std::set<Schedule> seen;
  program.change = [&](const Plan&, Execution& e) {
    EXPECT_TRUE(seen.insert(threads_of(e)).second);
  };
  const Verdict verdict = plain_search(program, {});
  EXPECT_EQ(verdict.counts.executions, 60u);  // 6! / (3! 2! 1!)
  EXPECT_EQ(seen.size(), 60u);
  EXPECT_EQ(verdict.counts.steps, 360u);
  EXPECT_EQ(verdict.counts.max_depth, 6u);
  EXPECT_TRUE(verdict.ok());
}

TEST(PlainSearch, CountsEachEdgeOfTheTreeOnce) {
  FakeProgram program({2, 2});
  const Verdict verdict = plain_search(program, {});
  EXPECT_EQ(verdict.counts.executions, 6u);
  // Nodes of depth 1..4: 2 + 4 + 6 + 6.
  EXPECT_EQ(verdict.counts.transitions, 18u);
}

TEST(PlainSearch, AProgramWithoutATransitionHasOneExecution) {
  FakeProgram program({});
  const Verdict verdict = plain_search(program, {});
  EXPECT_EQ(verdict.counts.executions, 1u);
  EXPECT_EQ(verdict.counts.transitions, 0u);
  EXPECT_TRUE(verdict.ok());
}

TEST(PlainSearch, ThePrefixSaysWhatItsStepsDidBefore) {
  FakeProgram program({2, 2});
  program.change = [](const Plan& plan, Execution& e) {
    for (size_t i = 0; i + 1 < plan.prefix.size(); ++i) {
      EXPECT_EQ(plan.prefix[i].kind, e.transitions[i].op.kind);
      EXPECT_EQ(plan.prefix[i].object, e.transitions[i].op.object);
    }
    if (!plan.prefix.empty()) {
      EXPECT_EQ(plan.prefix.back().kind, OpKind::None);
    }
  };
  plain_search(program, {});
}

TEST(PlainSearch, StopsAtTheFirstFinding) {
  FakeProgram program({1, 1});
  program.change = [](const Plan&, Execution& e) { e.end = End::Deadlock; };
  const Verdict verdict = plain_search(program, {});
  EXPECT_EQ(verdict.counts.executions, 1u);
  EXPECT_EQ(verdict.findings.size(), 1u);
  EXPECT_FALSE(verdict.complete());
  ASSERT_EQ(verdict.why_incomplete.size(), 1u);
  EXPECT_EQ(verdict.why_incomplete[0].kind, WhyIncomplete::FirstFinding);
}

TEST(PlainSearch, KeepsGoingAndCountsAFindingOnceForEachExecution) {
  FakeProgram program({1, 1});
  program.change = [](const Plan&, Execution& e) { e.end = End::Deadlock; };
  const Verdict verdict = plain_search(program, keep_going());
  EXPECT_EQ(verdict.counts.executions, 2u);
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].count, 2u);
  EXPECT_TRUE(verdict.complete());
  EXPECT_FALSE(verdict.ok());
}

TEST(PlainSearch, KeepsTheShortestSchedule) {
  FakeProgram program({1, 3});
  // The failing thread's one operation comes first, second, ... in the four executions.
  program.change = [](const Plan&, Execution& e) {
    for (Transition& t : e.transitions) {
      if (t.choice.thread == kMainThread) t.op.kind = OpKind::Assertion;
    }
  };
  const Verdict verdict = plain_search(program, keep_going());
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].count, 4u);
  EXPECT_EQ(verdict.findings[0].schedule.size(), 1u);
}

TEST(PlainSearch, LimitsMakeItIncomplete) {
  FakeProgram program({2, 2});
  SearchOptions options;
  options.max_executions = 3;
  const Verdict verdict = plain_search(program, options);
  EXPECT_EQ(verdict.counts.executions, 3u);
  EXPECT_EQ(verdict.guarantee, Guarantee::Sampled);
  options.max_executions = 6;
  EXPECT_TRUE(plain_search(program, options).ok());
}

TEST(PlainSearch, AnInterruptEndsIt) {
  FakeProgram program({5, 5});
  volatile std::sig_atomic_t flag = 0;
  SearchOptions options;
  options.interrupted = &flag;
  program.change = [&](const Plan&, Execution&) { flag = program.runs == 4; };
  const Verdict verdict = plain_search(program, options);
  EXPECT_EQ(verdict.counts.executions, 4u);
  EXPECT_EQ(verdict.why_incomplete.at(0).kind, WhyIncomplete::Interrupted);
}

TEST(PlainSearch, ADepthThatCutsMakesItBounded) {
  FakeProgram program({2, 2});
  SearchOptions options;
  options.limits.depth = 3;
  const Verdict verdict = plain_search(program, options);
  EXPECT_EQ(verdict.guarantee, Guarantee::Bounded);
  EXPECT_EQ(verdict.counts.executions, 6u);
  EXPECT_EQ(verdict.why_incomplete.at(0), (Remark<WhyIncomplete>{WhyIncomplete::Depth, 3}));
}

TEST(PlainSearch, UnmodelledCallsCostTheWordComplete) {
  FakeProgram program({1});
  program.unmodelled_calls = {{"pipe", 0, 1, false}};
  EXPECT_TRUE(plain_search(program, {}).complete());
  program.unmodelled_calls[0].costs_complete = true;
  const Verdict verdict = plain_search(program, {});
  EXPECT_FALSE(verdict.complete());
  EXPECT_EQ(verdict.why_incomplete.at(0),
            (Remark<WhyIncomplete>{WhyIncomplete::NoModel, 0, {"pipe"}}));
}

TEST(PlainSearch, TroubleEndsItWithWhatIsKnown) {
  FakeProgram program({2, 2});
  program.change = [&](const Plan&, Execution& e) {
    if (program.runs == 3) {
      e.end = End::Trouble;
      e.text = "the log is full";
    }
  };
  const Verdict verdict = plain_search(program, keep_going());
  ASSERT_TRUE(verdict.trouble);
  EXPECT_EQ(verdict.trouble->message, "the log is full");
  EXPECT_EQ(verdict.counts.executions, 2u);
  EXPECT_FALSE(verdict.complete());
}

TEST(PlainSearch, BlockedExecutionsAreCountedApart) {
  FakeProgram program({1, 1});
  program.change = [&](const Plan&, Execution& e) {
    if (program.runs == 2) e.end = End::Blocked;
  };
  const Verdict verdict = plain_search(program, {});
  EXPECT_EQ(verdict.counts.executions, 1u);
  EXPECT_EQ(verdict.counts.blocked_executions, 1u);
  EXPECT_TRUE(verdict.ok());
}

TEST(PlainSearch, AnUnknownSearchIsAnError) {
  FakeProgram program({1});
  SearchOptions options;
  options.search = "guess";
  const Result<Verdict> verdict = explore(program, options);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().message.rfind("there is no search 'guess'; the searches are: none", 0),
            0u);
}

}  // namespace
}  // namespace mazurka
