#include "testing/scripts/random_script.h"

#include <gtest/gtest.h>

#include <set>

#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

// A walk through the script: at each state the choice that a number says.
Execution walk(ScriptedProgram& program, uint64_t seed) {
  Plan plan;
  Execution execution;
  while (true) {
    EXPECT_TRUE(program.run(plan, execution).ok());
    if (execution.transitions.size() == plan.prefix.size()) return execution;
    const Transition& next = execution.transitions[plan.prefix.size()];
    const Choice choice = next.enabled[seed % next.enabled.size()];
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    plan.prefix.push_back({choice, OpKind::None, {}, kNoObject});
  }
}

TEST(RandomScript, TheSameSeedMakesTheSameScript) {
  EXPECT_EQ(to_string(random_script(7)), to_string(random_script(7)));
  EXPECT_NE(to_string(random_script(7)), to_string(random_script(8)));
}

TEST(RandomScript, RunsToAnEndOfItsOwnWhateverTheSchedule) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    ScriptedProgram program(random_script(seed));
    const Execution execution = walk(program, seed);
    EXPECT_TRUE(execution.end == End::Finished || execution.end == End::Deadlock)
        << "seed " << seed << "\n"
        << to_string(program.script());
  }
}

TEST(RandomScript, ReplaysExactly) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    ScriptedProgram program(random_script(seed));
    const Execution first = walk(program, seed);
    Plan plan;
    for (const Transition& t : first.transitions) {
      plan.prefix.push_back({t.choice, t.op.kind, {}, t.op.object});
    }
    Execution again;
    ASSERT_TRUE(program.run(plan, again).ok());
    EXPECT_EQ(again.end, first.end) << "seed " << seed << "\n" << to_string(program.script());
    EXPECT_EQ(again.transitions.size(), first.transitions.size());
  }
}

TEST(RandomScript, CoversEveryOperation) {
  RandomScriptOptions options;
  options.features |= kWaitsForOthers | kPauses | kEvents | kChannels | kQueues | kTimers |
                      kSockets | kSignals | kFileLocks | kFileUses | kRarities;
  std::set<OpKind> done;
  std::set<Misuse> misuses;
  int deadlocks = 0;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    ScriptedProgram program(random_script(seed, options));
    const Execution execution = walk(program, seed);
    deadlocks += execution.end == End::Deadlock;
    for (const Transition& t : execution.transitions) {
      done.insert(t.op.kind);
      misuses.insert(t.effect.misuse);
    }
  }
  for (uint32_t i = 1; i < static_cast<uint32_t>(OpKind::kCount); ++i)
    EXPECT_TRUE(done.contains(static_cast<OpKind>(i))) << name_of(static_cast<OpKind>(i));
  EXPECT_TRUE(misuses.contains(Misuse::UnlockNotOwned));
  EXPECT_TRUE(misuses.contains(Misuse::Destroyed));
  EXPECT_GT(deadlocks, 2000);
  EXPECT_LT(deadlocks, 18000);
}

TEST(RandomScript, KeepsToTheFeaturesThatItIsGiven) {
  const RandomScriptOptions options{.features = kSemaphores, .min_threads = 3, .max_threads = 3};
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Script script = random_script(seed, options);
    EXPECT_EQ(script.bodies.size(), 3u);
    for (const ScriptObject& object : script.objects) EXPECT_EQ(object.kind, ObjectKind::Semaphore);
  }
}

TEST(Script, IsPrintedForPeople) {
  Script script;
  const ObjectId m = script.add({.kind = ObjectKind::Mutex, .mutex_type = MutexType::Recursive});
  const ObjectId s = script.add({.kind = ObjectKind::Semaphore, .value = 2});
  const ObjectId set = script.add({.kind = ObjectKind::SemSet});
  const Operation semop =
      script.with_parts({.kind = OpKind::Semop, .object = set},
                        {semaphore_part(s, -1, true), semaphore_part(s, 1, false, true)});
  script.bodies = {{spawn(1), operate({.kind = OpKind::MutexLock, .flags = kTry, .object = m}),
                    go_to(4, Instruction::Test::ErrorIsNot, 0), operate(semop), join_child(1)},
                   {operate({.kind = OpKind::Toss, .value = 3})}};
  EXPECT_EQ(to_string(script),
            "object 0: mutex recursive\n"
            "object 1: semaphore 2\n"
            "object 2: semaphore set\n"
            "body 0:\n"
            "  0: spawn body 1\n"
            "  1: try lock 0\n"
            "  2: if error != 0 go to 4\n"
            "  3: semop 2 [1 -1 no-wait] [1 +1 undo]\n"
            "  4: join child 1\n"
            "body 1:\n"
            "  0: toss value 3\n");
}

TEST(Script, VariablesAndRegistersArePrintedForPeople) {
  Script script;
  const ObjectId x = script.add({.kind = ObjectKind::Variable, .value = 5});
  Instruction store = operate({.kind = OpKind::VarStore, .object = x});
  store.value_from = 1;
  store.object_plus = 0;
  script.bodies = {
      {operate({.kind = OpKind::VarLoad, .object = x}),
       calculate(1, Instruction::Calculation::Keep), calculate(0, Instruction::Calculation::Set, 3),
       calculate(0, Instruction::Calculation::Add, -1),
       calculate(0, Instruction::Calculation::Remainder, 2), store,
       operate({.kind = OpKind::VarUpdate, .object = x, .update = Update::Add, .value = 2}),
       operate({.kind = OpKind::VarCompareExchange, .object = x, .value = 7, .desired = 9})}};
  EXPECT_EQ(to_string(script),
            "object 0: variable 5\n"
            "body 0:\n"
            "  0: load 0\n"
            "  1: r1 = value of the last effect\n"
            "  2: r0 = 3\n"
            "  3: r0 += -1\n"
            "  4: r0 %= 2\n"
            "  5: store 0 + r0 value r1\n"
            "  6: update by add 0 value 2\n"
            "  7: compare-exchange 0 value 7 to 9\n");
}

}  // namespace
}  // namespace mazurka
