#include "lts/verify/state_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "lts/model/chunks.h"

namespace mazurka::lts {
namespace {

constexpr uint64_t kBit = uint64_t{1} << kStateBits;

TEST(StateTable, KeepsEveryStateWithItsBitsWhileItGrows) {
  MemoryBudget budget;
  StateTable table(budget);
  std::map<State, uint64_t> expected;
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const State state = random() & (i % 2 == 0 ? kStateMask : 0xffff);
    const uint64_t bits = (random() % 127 + 1) << kStateBits;
    bool is_new = false;
    uint64_t* slot = table.find_or_add(state, is_new);
    ASSERT_NE(slot, nullptr);
    ASSERT_EQ(is_new, expected.count(state) == 0);
    ASSERT_EQ(*slot & ~kStateMask, is_new ? 0 : expected[state]);
    *slot |= bits;
    expected[state] |= bits;
  }
  EXPECT_EQ(table.size(), expected.size());
  for (const auto& [state, bits] : expected) {
    ASSERT_NE(table.find(state), nullptr);
    ASSERT_EQ(*table.find(state) & ~kStateMask, bits);
  }
  EXPECT_EQ(table.find(0x10000), nullptr);
}

TEST(StateTable, HoldsTheStateWhoseKeyIsZero) {
  MemoryBudget budget;
  StateTable table(budget);
  EXPECT_EQ(table.find(0), nullptr);
  bool is_new = false;
  *table.find_or_add(0, is_new) |= kBit;
  EXPECT_TRUE(is_new);
  EXPECT_NE(table.find(0), nullptr);
}

TEST(StateTable, SaysWhenTheBudgetIsUsedUp) {
  MemoryBudget budget(1 << 16);
  StateTable table(budget);
  bool is_new = false;
  uint64_t* slot = nullptr;
  State state = 0;
  while ((slot = table.find_or_add(state, is_new)) != nullptr) {
    *slot |= kBit;
    ASSERT_LT(++state, 10000u);
  }
  EXPECT_GT(table.size(), 1000u);
  EXPECT_LE(budget.peak(), size_t{1} << 16);
}

TEST(Chunks, AreAStackAndAQueueAndGiveTheirMemoryBack) {
  MemoryBudget budget;
  {
    Chunks<int> stack(budget);
    Chunks<int> queue(budget);
    for (int i = 0; i < 20000; ++i) {
      ASSERT_TRUE(stack.push(i));
      ASSERT_TRUE(queue.push(i));
    }
    for (int i = 0; i < 20000; ++i) {
      ASSERT_EQ(stack.last(), 19999 - i);
      stack.pop_last();
      ASSERT_EQ(queue.pop_first(), i);
    }
    EXPECT_TRUE(stack.empty());
    EXPECT_TRUE(queue.empty());
    EXPECT_TRUE(queue.push(1));
    EXPECT_EQ(queue.pop_first(), 1);
  }
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace mazurka::lts
