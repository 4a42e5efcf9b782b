#include "explore/findings/strict_discipline.h"

#include <gtest/gtest.h>

#include "testing/scripts/scripted_program.h"

namespace mazurka {
namespace {

constexpr ObjectId kA{1};
constexpr ObjectId kB{2};
constexpr ObjectId kC{3};

GuardedMemory guarded(std::vector<ObjectId> locks, uint8_t bytes = 0x0f, uint64_t offset = 64) {
  GuardedMemory memory;
  memory.offset = memory.address = offset;
  memory.bytes = bytes;
  memory.locks = std::move(locks);
  memory.where.storage = Storage::Module;
  memory.access.thread = kMainThread;
  memory.access.place.pc = 1000 + offset;
  return memory;
}

Execution with(std::vector<GuardedMemory> memory) {
  Execution execution;
  execution.guarded = std::move(memory);
  return execution;
}

class StrictDisciplineTest : public testing::Test {
 protected:
  ScriptedProgram program_{Script{}};
  StrictDiscipline strict_{program_};
};

TEST_F(StrictDisciplineTest, OneLockInAllExecutionsIsFine) {
  EXPECT_TRUE(strict_.add(with({guarded({kA, kB})})).empty());
  EXPECT_TRUE(strict_.add(with({guarded({kA})})).empty());
  EXPECT_TRUE(strict_.add(with({guarded({kA, kC})})).empty());
}

TEST_F(StrictDisciplineTest, TwoExecutionsWithDifferentLocksAreAViolation) {
  EXPECT_TRUE(strict_.add(with({guarded({kA})})).empty());
  const auto words = strict_.add(with({guarded({kB})}));
  ASSERT_EQ(words.size(), 1u);
  const auto proofs = strict_.proofs(words[0]);
  ASSERT_EQ(proofs.size(), 1u);
  EXPECT_EQ(proofs[0].size(), 2u);
  EXPECT_TRUE(strict_.add(with({guarded({kB})})).empty()) << "it is known by now";
}

// Each two have one in common.
TEST_F(StrictDisciplineTest, ThreeExecutionsMayBeNeeded) {
  EXPECT_TRUE(strict_.add(with({guarded({kA, kB})})).empty());
  EXPECT_TRUE(strict_.add(with({guarded({kB, kC})})).empty());
  const auto words = strict_.add(with({guarded({kA, kC})}));
  ASSERT_EQ(words.size(), 1u);
  EXPECT_EQ(strict_.proofs(words[0])[0].size(), 3u);
}

TEST_F(StrictDisciplineTest, NeighboursInAWordMayHaveDifferentLocks) {
  EXPECT_TRUE(strict_.add(with({guarded({kA}, 0x0f)})).empty());
  EXPECT_TRUE(strict_.add(with({guarded({kB}, 0xf0)})).empty());
  const auto words = strict_.add(with({guarded({kC}, 0xff)}));
  ASSERT_EQ(words.size(), 1u);
  EXPECT_EQ(strict_.proofs(words[0]).size(), 2u)
      << "both halves are violated, each by its own accesses";
}

TEST_F(StrictDisciplineTest, ABlockIsWhatItsThreadAllocated) {
  GuardedMemory first = guarded({kA});
  first.where.storage = Storage::Heap;
  first.where.thread = kMainThread;
  first.where.count = 7;
  GuardedMemory another = first;
  another.locks = {kB};
  another.where.count = 8;  // at the same address
  EXPECT_TRUE(strict_.add(with({first})).empty());
  EXPECT_TRUE(strict_.add(with({another})).empty());
  another.where.count = 7;
  another.offset = another.address = 4096;  // the same block, elsewhere
  EXPECT_EQ(strict_.add(with({another})).size(), 1u);
}

// What proves it does not depend on which execution came first.
TEST_F(StrictDisciplineTest, TheShortestExecutionsProveIt) {
  GuardedMemory late = guarded({kA});
  late.position = 2;
  late.access.place.pc = 1;
  GuardedMemory early = guarded({kA});
  early.position = 1;
  early.access.place.pc = 2;
  const auto run = [](const GuardedMemory& memory) {
    Execution execution = with({memory});
    execution.transitions.resize(2);
    return execution;
  };
  for (const bool late_is_first : {false, true}) {
    StrictDiscipline strict(program_);
    strict.add(run(late_is_first ? late : early));
    strict.add(run(late_is_first ? early : late));
    const auto words = strict.add(run(guarded({kB})));
    ASSERT_EQ(words.size(), 1u);
    const GuardProof proof = strict.proofs(words[0])[0];
    EXPECT_EQ(proof[1].memory.access.place.pc, 2u);
    EXPECT_EQ(proof[1].schedule.size(), 1u);
  }
}

TEST_F(StrictDisciplineTest, AnExecutionIsJudgedWithTheEarlierOnes) {
  Execution execution = with({guarded({kB}, 0x0f), guarded({kA}, 0x0f, 128)});
  add_strict_conflicts({{guarded({kA, kC}, 0x03)}}, execution);
  ASSERT_EQ(execution.conflicts.size(), 1u);
  EXPECT_EQ(execution.conflicts[0].kind, ConflictKind::Strict);
  EXPECT_EQ(execution.conflicts[0].address, 64u);
  EXPECT_EQ(execution.conflicts[0].size, 2u);
  add_strict_conflicts({}, execution);
  EXPECT_EQ(execution.conflicts.size(), 1u) << "without earlier ones there is nothing to judge by";
}

}  // namespace
}  // namespace mazurka
