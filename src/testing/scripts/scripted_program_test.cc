#include "testing/scripts/scripted_program.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <functional>

namespace mazurka {
namespace {

Instruction lock(ObjectId m) { return operate({.kind = OpKind::MutexLock, .object = m}); }
Instruction unlock(ObjectId m) { return operate({.kind = OpKind::MutexUnlock, .object = m}); }
Instruction toss(int64_t largest) { return operate({.kind = OpKind::Toss, .value = largest}); }
Instruction yield() { return operate({.kind = OpKind::WaitForOthers}); }

Execution run(ScriptedProgram& program, const Plan& plan = {}) {
  Execution execution;
  EXPECT_TRUE(program.run(plan, execution).ok());
  return execution;
}

Plan prefix(const std::vector<Choice>& choices) {
  Plan plan;
  for (Choice choice : choices) plan.prefix.push_back({choice, OpKind::None, {}, kNoObject});
  return plan;
}

struct Tree {
  uint64_t transitions = 0;  // edges
  uint64_t executions = 0;   // leaves
  uint64_t deadlocks = 0;
};

// Every interleaving, depth first.
Tree search(ScriptedProgram& program) {
  Tree tree;
  Plan plan;
  Execution execution;
  std::vector<std::vector<Choice>> left;  // at each state of the path
  while (true) {
    EXPECT_TRUE(program.run(plan, execution).ok());
    ++tree.executions;
    tree.deadlocks += execution.end == End::Deadlock;
    for (size_t i = plan.prefix.size(); i < execution.transitions.size(); ++i) {
      const Transition& taken = execution.transitions[i];
      plan.prefix.push_back({taken.choice, taken.op.kind, {}, taken.op.object});
      left.emplace_back(taken.enabled.rbegin(), taken.enabled.rend());
      tree.transitions += taken.enabled.size();
      left.back().pop_back();
    }
    while (!left.empty() && left.back().empty()) {
      left.pop_back();
      plan.prefix.pop_back();
    }
    if (left.empty()) return tree;
    plan.prefix.back() = {left.back().back(), OpKind::None, {}, kNoObject};
    left.back().pop_back();
  }
}

// Main creates all philosophers and joins them in order.
Script philosophers_as_threads(uint32_t n) {
  Script script;
  for (uint32_t i = 0; i < n; ++i) script.add({.kind = ObjectKind::Mutex});
  script.bodies.resize(n + 1);
  for (uint32_t i = 0; i < n; ++i) {
    const ObjectId left{i};
    const ObjectId right{(i + 1) % n};
    script.bodies[i + 1] = {lock(left), lock(right), unlock(left), unlock(right)};
    script.bodies[0].push_back(spawn(i + 1));
  }
  for (uint32_t i = 0; i < n; ++i) script.bodies[0].push_back(join_child(i + 1));
  return script;
}

// Main forks all but one and is the last itself; nobody waits for the children.
Script philosophers_as_processes(uint32_t n) {
  Script script;
  for (uint32_t i = 0; i < n; ++i) script.add({.kind = ObjectKind::Semaphore, .value = 1});
  const ObjectId set = script.add({.kind = ObjectKind::SemSet});
  const auto semop = [&](uint32_t semaphore, int32_t delta) {
    const Operation op{.kind = OpKind::Semop, .object = set};
    return operate(script.with_parts(op, {semaphore_part(ObjectId{semaphore}, delta)}));
  };
  script.bodies.resize(n);
  for (uint32_t i = 1; i < n; ++i) script.bodies[0].push_back(fork_process(i));
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t right = (i + 1) % n;
    for (const auto& [semaphore, delta] :
         {std::pair{i, -1}, std::pair{right, -1}, std::pair{i, 1}, std::pair{right, 1}}) {
      script.bodies[i].push_back(semop(semaphore, delta));
    }
  }
  return script;
}

TEST(ScriptedProgram, HasAllInterleavingsOfPhilosophersAsThreads) {
  ScriptedProgram two(philosophers_as_threads(2));
  Tree tree = search(two);
  EXPECT_EQ(tree.transitions, 40u);
  EXPECT_EQ(tree.executions, 8u);
  ScriptedProgram three(philosophers_as_threads(3));
  tree = search(three);
  EXPECT_EQ(tree.transitions, 11'075u);
  EXPECT_EQ(tree.executions, 2'184u);
}

TEST(ScriptedProgram, HasAllInterleavingsOfPhilosophersAsProcesses) {
  ScriptedProgram two(philosophers_as_processes(2));
  Tree tree = search(two);
  EXPECT_EQ(tree.transitions, 18u);
  EXPECT_EQ(tree.executions, 4u);
  ScriptedProgram three(philosophers_as_processes(3));
  tree = search(three);
  EXPECT_EQ(tree.transitions, 1'680u);
  EXPECT_EQ(tree.executions, 396u);
  ScriptedProgram four(philosophers_as_processes(4));
  tree = search(four);
  EXPECT_EQ(tree.transitions, 386'816u);
  EXPECT_EQ(tree.executions, 104'704u);
}

TEST(ScriptedProgram, TakesTheFirstEnabledChoiceAfterThePrefix) {
  ScriptedProgram program(philosophers_as_threads(2));
  const Execution execution = run(program, prefix({{ThreadId{2}, 0}, {ThreadId{2}, 0}}));
  EXPECT_EQ(execution.end, End::Finished);
  ASSERT_EQ(execution.transitions.size(), 10u);
  EXPECT_EQ(execution.transitions[1].choice.thread, ThreadId{2});
  EXPECT_TRUE(execution.transitions[1].enabled.empty());
  EXPECT_EQ(execution.transitions[2].choice.thread, ThreadId{2});
  EXPECT_EQ(execution.transitions[2].op.kind, OpKind::MutexUnlock);
  EXPECT_EQ(execution.transitions[2].enabled, (std::vector<Choice>{{ThreadId{2}, 0}}));
  EXPECT_EQ(execution.transitions[4].choice.thread, ThreadId{1});
  EXPECT_EQ(execution.transitions[4].op.kind, OpKind::MutexLock);
  EXPECT_EQ(execution.transitions.back().op.kind, OpKind::Join);
  EXPECT_EQ(execution.transitions.back().effect.thread, ThreadId{2});
  EXPECT_TRUE(execution.first_process_ended);
  EXPECT_EQ(execution.wait_status, 0);
}

TEST(ScriptedProgram, SaysWhereTheThreadsOfADeadlockStand) {
  ScriptedProgram program(philosophers_as_threads(2));
  const Execution execution = run(program, prefix({{ThreadId{1}, 0}, {ThreadId{2}, 0}}));
  EXPECT_EQ(execution.end, End::Deadlock);
  ASSERT_EQ(execution.threads.size(), 3u);
  EXPECT_EQ(execution.threads[0].pending.kind, OpKind::Join);
  EXPECT_EQ(execution.threads[1].pending.object, ObjectId{1});
  EXPECT_EQ(execution.threads[2].pending.object, ObjectId{0});
  EXPECT_EQ(execution.threads[2].status, ThreadStatus::AtOperation);
  EXPECT_FALSE(execution.first_process_ended);
}

TEST(ScriptedProgram, FindsThatAPlanIsNotOfThisProgram) {
  ScriptedProgram program(philosophers_as_threads(2));
  Plan plan = prefix({{ThreadId{1}, 0}, {ThreadId{2}, 0}});
  plan.prefix[1].object = ObjectId{0};
  Execution execution = run(program, plan);
  EXPECT_EQ(execution.end, End::Nondeterminism);
  EXPECT_EQ(execution.position, 1u);
  EXPECT_EQ(execution.culprit, ThreadId{2});
  EXPECT_EQ(execution.got.object, ObjectId{1});
  EXPECT_EQ(execution.transitions.size(), 1u);

  plan = prefix({{ThreadId{1}, 0}});
  plan.prefix[0].kind = OpKind::SemWait;
  EXPECT_EQ(run(program, plan).end, End::Nondeterminism);
  EXPECT_EQ(run(program, prefix({{ThreadId{1}, 1}})).end, End::Nondeterminism);   // no such outcome
  EXPECT_EQ(run(program, prefix({{ThreadId{0}, 0}})).end, End::Nondeterminism);   // not enabled
  EXPECT_EQ(run(program, prefix({{ThreadId{77}, 0}})).end, End::Nondeterminism);  // no such thread
}

TEST(ScriptedProgram, HasAnExecutionForEachResultOfATossAndBranchesOnIt) {
  Script script;
  script.bodies = {{toss(2), go_to(3, Instruction::Test::ValueIsNot, 1), toss(0)}};
  ScriptedProgram program(script);
  EXPECT_EQ(run(program, prefix({{kMainThread, 1}})).transitions.size(), 2u);
  EXPECT_EQ(run(program, prefix({{kMainThread, 2}})).transitions.size(), 1u);
  const Tree tree = search(program);
  EXPECT_EQ(tree.executions, 3u);
  EXPECT_EQ(tree.transitions, 4u);
}

TEST(ScriptedProgram, BranchesOnTheErrorOfATry) {
  Script script;
  const ObjectId m = script.add({.kind = ObjectKind::Mutex});
  const Instruction try_lock = operate({.kind = OpKind::MutexLock, .flags = kTry, .object = m});
  script.bodies = {{spawn(1), lock(m)},
                   {try_lock, go_to(3, Instruction::Test::ErrorIs, EBUSY), unlock(m), toss(0)}};
  ScriptedProgram program(script);
  EXPECT_EQ(run(program, prefix({{ThreadId{1}, 0}})).transitions[1].op.kind, OpKind::MutexUnlock);
}

TEST(ScriptedProgram, EndsAtTheDepth) {
  Script script;
  script.bodies = {{toss(0), go_to(0)}};
  ScriptedProgram program(script);
  Plan plan;
  plan.limits.depth = 7;
  const Execution execution = run(program, plan);
  EXPECT_EQ(execution.end, End::DepthReached);
  EXPECT_EQ(execution.transitions.size(), 7u);
}

TEST(ScriptedProgram, LeavesAThreadAtItsBoundAndGoesOnWithTheOthers) {
  Script script;
  script.bodies = {{spawn(1), toss(0), go_to(1)}, {toss(0)}};
  ScriptedProgram program(script);
  Plan plan;
  plan.limits.bound = 3;
  const Execution execution = run(program, plan);
  EXPECT_EQ(execution.end, End::Bounded);
  EXPECT_EQ(execution.transitions.size(), 4u);
  EXPECT_EQ(execution.threads[0].status, ThreadStatus::AtOperation);
  EXPECT_EQ(execution.threads[1].status, ThreadStatus::AtExit);
}

TEST(ScriptedProgram, NamesTheThreadOfALivelock) {
  Script script;
  const ObjectId m = script.add({.kind = ObjectKind::Mutex});
  script.bodies = {{lock(m), spawn(1), toss(0), go_to(2)}, {lock(m)}};
  ScriptedProgram program(script);
  Plan plan;
  plan.limits.livelock = 20;
  const Execution execution = run(program, plan);
  EXPECT_EQ(execution.end, End::Livelock);
  EXPECT_EQ(execution.culprit, ThreadId{1});
  // Thread 1 is disabled in each state after the first transition; the 21st of these is too many.
  EXPECT_EQ(execution.transitions.size(), 21u);
}

TEST(ScriptedProgram, LetsThreadsThatOnlyYieldGoOnForAWhile) {
  Script script;
  const ObjectId m = script.add({.kind = ObjectKind::Mutex});
  script.bodies = {{spawn(1), lock(m), lock(m)}, {yield(), go_to(0)}};
  ScriptedProgram program(script);
  const Execution execution = run(program);
  EXPECT_EQ(execution.end, End::Deadlock);
  EXPECT_EQ(execution.transitions.size(), 101u);
}

TEST(ScriptedProgram, ReplaysIdleYields) {
  Script script;
  script.bodies = {{yield(), yield(), toss(0)}};
  ScriptedProgram program(script);
  const Execution execution = run(program, prefix({{kMainThread, 0}, {kMainThread, 0}}));
  EXPECT_EQ(execution.end, End::Finished);
  EXPECT_EQ(execution.transitions.size(), 3u);
}

TEST(ScriptedProgram, ReturningFromMainEndsTheOtherThreads) {
  Script script;
  script.bodies = {{spawn(1)}, {toss(0), toss(0)}};
  ScriptedProgram program(script);
  const Execution execution = run(program);
  EXPECT_EQ(execution.end, End::Finished);
  ASSERT_EQ(execution.transitions.size(), 1u);
  EXPECT_EQ(execution.transitions[0].op.kind, OpKind::ProcessEnd);
  EXPECT_EQ(execution.threads[1].pending.kind, OpKind::Toss);
  EXPECT_EQ(search(program).executions, 3u);
}

TEST(ScriptedProgram, AMisuseEndsTheProcessAndTheOthersGoOn) {
  Script script;
  const ObjectId m = script.add({.kind = ObjectKind::Mutex});
  script.bodies = {{fork_process(1), unlock(m), toss(0)}, {toss(0)}};
  ScriptedProgram program(script);
  const Execution execution = run(program);
  EXPECT_EQ(execution.end, End::Finished);
  ASSERT_EQ(execution.transitions.size(), 2u);
  EXPECT_EQ(execution.transitions[0].effect.misuse, Misuse::UnlockNotOwned);
  EXPECT_EQ(execution.wait_status, SIGABRT);
}

TEST(ScriptedProgram, TheExitOfAThreadWithARobustMutexIsATransition) {
  Script script;
  const ObjectId m = script.add({.kind = ObjectKind::Mutex, .robust = true});
  script.bodies = {{spawn(1), join_child(1), lock(m)}, {lock(m)}};
  ScriptedProgram program(script);
  const Execution execution = run(program);
  ASSERT_EQ(execution.transitions.size(), 5u);
  EXPECT_EQ(execution.transitions[1].op.kind, OpKind::ThreadExit);
  EXPECT_EQ(execution.transitions[3].effect.error, EOWNERDEAD);
  EXPECT_EQ(execution.transitions[4].op.kind, OpKind::ProcessEnd);
}

TEST(ScriptedProgram, CarriesThePartsOfASemop) {
  ScriptedProgram program(philosophers_as_processes(2));
  const Execution execution = run(program, prefix({{ThreadId{1}, 0}, {ThreadId{0}, 0}}));
  EXPECT_EQ(execution.end, End::Deadlock);
  ASSERT_EQ(execution.transitions[0].parts.size(), 1u);
  EXPECT_EQ(execution.transitions[0].parts[0].object, ObjectId{1});
  EXPECT_EQ(execution.transitions[0].process, ProcessId{1});
  EXPECT_EQ(execution.threads[0].parts[0].object, ObjectId{1});
  EXPECT_EQ(execution.threads[0].parts[0].sem.delta, -1);
}

TEST(ScriptedProgram, GivesAThreadTheSameIdInEveryExecution) {
  Script script;
  // Which child main creates first depends on the toss, and each creates one of its own.
  script.bodies = {{toss(1), go_to(3, Instruction::Test::ValueIs, 0), spawn(1), spawn(2)},
                   {spawn(2), toss(0)},
                   {toss(0)}};
  ScriptedProgram program(script);
  run(program, prefix({{kMainThread, 0}}));
  EXPECT_EQ(program.thread_name(ThreadId{1}), "T0.1");
  run(program, prefix({{kMainThread, 1}}));
  EXPECT_EQ(program.thread_name(ThreadId{1}), "T0.1");
  EXPECT_EQ(program.thread_name(ThreadId{2}), "T0.1.1");
  EXPECT_EQ(program.thread_name(ThreadId{3}), "T0.2");
  EXPECT_EQ(program.thread_path(ThreadId{2}), (std::vector<uint32_t>{1, 1}));
  EXPECT_EQ(program.thread_path(kMainThread), std::vector<uint32_t>{});
  EXPECT_EQ(*program.intern_thread({2}), ThreadId{3});
  EXPECT_EQ(*program.intern_thread({5}), ThreadId{4});
  EXPECT_FALSE(program.intern_thread({0}).ok());
}

TEST(ScriptedProgram, ReusesAnExecutionThatWasLonger) {
  ScriptedProgram program(philosophers_as_threads(2));
  Execution execution;
  ASSERT_TRUE(program.run({}, execution).ok());
  EXPECT_EQ(execution.transitions.size(), 10u);
  ASSERT_TRUE(program.run(prefix({{ThreadId{1}, 0}, {ThreadId{2}, 0}}), execution).ok());
  EXPECT_EQ(execution.transitions.size(), 2u);
  EXPECT_TRUE(execution.transitions[1].enabled.empty());
}

TEST(ScriptedProgram, CallsALoopOfInvisibleCodeADivergence) {
  Script script;
  script.bodies = {{toss(0), go_to(1)}};
  ScriptedProgram program(script);
  const Execution execution = run(program);
  EXPECT_EQ(execution.end, End::Divergence);
  EXPECT_EQ(execution.culprit, kMainThread);
  EXPECT_EQ(execution.transitions.size(), 1u);
}

TEST(ScriptedProgram, EndsInTroubleWhenItCreatesThreadsWithoutEnd) {
  Script script;
  script.bodies = {{spawn(0), toss(0)}};
  ScriptedProgram program(script);
  EXPECT_EQ(run(program).end, End::Trouble);
}

// Adds up an array backwards, and writes the sum behind it.
TEST(ScriptedProgram, CalculatesWithRegisters) {
  using Calculation = Instruction::Calculation;
  Script script;
  for (const int64_t value : {5, 7, 11, 0}) {
    script.add({.kind = ObjectKind::Variable, .value = value});
  }
  Instruction load = operate({.kind = OpKind::VarLoad, .object = ObjectId{0}});
  load.object_plus = 0;
  Instruction add = operate(
      {.kind = OpKind::VarUpdate, .object = ObjectId{3}, .update = Update::Add, .value = 99});
  add.value_from = 1;
  script.bodies = {{calculate(0, Calculation::Set, 12), calculate(0, Calculation::Remainder, 10),
                    load, calculate(1, Calculation::Keep), add, calculate(0, Calculation::Add, -1),
                    go_to(2, Instruction::Test::ValueIsNot, 18)}};
  ScriptedProgram program(script);
  const Execution execution = run(program);
  ASSERT_EQ(execution.transitions.size(), 6u);
  EXPECT_EQ(execution.transitions[2].op.object, ObjectId{1});
  EXPECT_EQ(program.world().object(ObjectId{3}).variable.value, 23);
}

}  // namespace
}  // namespace mazurka
