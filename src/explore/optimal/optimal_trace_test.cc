// The parts of the search for children, each by itself, on a writer and two readers of one lock:
// the trace, its shortcuts, the canonical test.
#include "explore/optimal/optimal_trace.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "explore/optimal/optimal_canonical.h"
#include "explore/optimal/optimal_children.h"
#include "explore/optimal/optimal_shortcuts.h"
#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

constexpr ThreadId kWriter{1};
constexpr ThreadId kFirstReader{2};
constexpr ThreadId kSecondReader{3};

Script writer_and_readers() {
  Script script;
  const ObjectId lock = script.add({.kind = ObjectKind::RwLock});
  const auto with = [&](OpKind kind) { return operate({.kind = kind, .object = lock}); };
  script.bodies.push_back(
      {spawn(1), spawn(2), spawn(3), join_child(1), join_child(2), join_child(3)});
  script.bodies.push_back({with(OpKind::WriteLock), with(OpKind::RwUnlock)});
  script.bodies.push_back({with(OpKind::ReadLock), with(OpKind::RwUnlock)});
  script.bodies.push_back({with(OpKind::ReadLock), with(OpKind::RwUnlock)});
  return script;
}

class OptimalTraceTest : public testing::Test {
 protected:
  // The trace of the plan's execution.
  void read(const Plan& its_plan) {
    plan = its_plan;
    ASSERT_TRUE(program.run(plan, execution));
    trace.order.read(execution, false, 0);
    trace.masks.read(trace.order, false);
    trace.blockable.read(trace.order, trace.masks);
    trace.replica.read(trace.order, 0);
    trace.begin(plan);
  }
  // That of the first trace's child in which this thread comes before the writer.
  void read_child(ThreadId head) {
    read(Plan());
    std::vector<OptimalTask> tasks;
    ASSERT_TRUE(OptimalChildren().find(plan, execution, tasks));
    const auto child = std::find_if(tasks.begin(), tasks.end(), [&](const OptimalTask& task) {
      return task.block.head == head && task.block.reversed == kWriter;
    });
    ASSERT_NE(child, tasks.end());
    Plan its_plan;
    child->write(its_plan);
    read(its_plan);
  }
  uint32_t first_of(ThreadId thread) const {
    return trace.order.event(trace.order.slot_of(thread), 0);
  }
  // The first transition of the thread, as it was in this trace.
  Label label_of(ThreadId thread) const {
    const Transition& made = trace.order.transition(first_of(thread));
    Label label{made.choice, made.accesses, false, {}};
    for (const Access& access : made.accesses) label.mask.add(access.resource, access.mode);
    return label;
  }

  ScriptedProgram program{writer_and_readers()};
  Plan plan;
  Execution execution;
  OptimalTrace trace;
};

TEST_F(OptimalTraceTest, KnowsWhatCameBeforeItsEvent) {
  read(Plan());
  trace.event = 3;
  trace.catch_up();
  uint32_t count = 0;
  for (const uint32_t events : trace.before) count += events;
  EXPECT_EQ(count, 3u);
  EXPECT_TRUE(trace.open.empty());
  EXPECT_EQ(trace.open_begin(), 3u);
}

TEST_F(OptimalTraceTest, ABlockIsOpenUntilWhatItReversedHappens) {
  read_child(kSecondReader);
  ASSERT_EQ(trace.heads.size(), 1u);
  trace.event = trace.heads[0] + 1;
  trace.catch_up();
  EXPECT_EQ(trace.open.size(), 1u);
  trace.event = first_of(kWriter) + 1;
  trace.catch_up();
  EXPECT_TRUE(trace.open.empty());
}

TEST_F(OptimalTraceTest, ShortcutsListThoseWhoCouldHaveGoneFirst) {
  read(Plan());
  OptimalShortcuts shortcuts(trace);
  shortcuts.begin();
  trace.event = first_of(kWriter);
  ASSERT_TRUE(shortcuts.may_be_reversed(trace.event));
  std::vector<uint32_t> slots;
  for (const Reversal& reversal : shortcuts.reversals()) slots.push_back(reversal.slot);
  for (const ThreadId reader : {kFirstReader, kSecondReader})
    EXPECT_EQ(std::count(slots.begin(), slots.end(), trace.order.slot_of(reader)), 1);
}

// Two readers commute, so the smaller one could have been the head of the block: the trace in which
// both come before the writer is a child of the one in which the smaller one does.
TEST_F(OptimalTraceTest, OnlyTheBestHeadIsCanonical) {
  read_child(kSecondReader);
  trace.event = trace.heads[0] + 1;
  trace.catch_up();
  EXPECT_FALSE(CanonicalTest(trace).passes(trace.before, label_of(kFirstReader)));

  read_child(kFirstReader);
  trace.event = trace.heads[0] + 1;
  trace.catch_up();
  EXPECT_TRUE(CanonicalTest(trace).passes(trace.before, label_of(kSecondReader)));
}

TEST_F(OptimalTraceTest, WithoutAnOpenBlockEveryHeadIsCanonical) {
  read(Plan());
  trace.event = first_of(kWriter);
  trace.catch_up();
  EXPECT_TRUE(CanonicalTest(trace).passes(trace.before, label_of(kSecondReader)));
}

}  // namespace
}  // namespace mazurka
