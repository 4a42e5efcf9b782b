#include "kinds/variable/variable.h"

#include <errno.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class VariableTest : public WorldFixture {
 protected:
  Operation load() const { return {.kind = OpKind::VarLoad, .object = x}; }
  Operation store(int64_t value) const {
    return {.kind = OpKind::VarStore, .object = x, .value = value};
  }
  Operation update(Update how, int64_t operand) const {
    return {.kind = OpKind::VarUpdate, .object = x, .update = how, .value = operand};
  }
  Operation compare_exchange(int64_t expected, int64_t desired) const {
    return {.kind = OpKind::VarCompareExchange, .object = x, .value = expected, .desired = desired};
  }
  int64_t value() const { return world.object(x).variable.value; }

  const ObjectId x = make(ObjectKind::Variable);
};

TEST_F(VariableTest, ALoadGivesWhatTheLastStoreWrote) {
  EXPECT_EQ(act(a, load()).value, 0);
  EXPECT_EQ(act(a, store(7)).value, 0);
  EXPECT_EQ(act(b, load()).value, 7);
  EXPECT_EQ(value(), 7);
}

TEST_F(VariableTest, AnUpdateGivesTheValueBefore) {
  act(a, store(12));
  EXPECT_EQ(act(b, update(Update::Add, -2)).value, 12);
  EXPECT_EQ(act(b, update(Update::And, 6)).value, 10);
  EXPECT_EQ(act(b, update(Update::Or, 9)).value, 2);
  EXPECT_EQ(act(b, update(Update::Xor, 3)).value, 11);
  EXPECT_EQ(act(b, update(Update::Nand, 8)).value, 8);
  EXPECT_EQ(act(b, update(Update::Exchange, 5)).value, ~int64_t{8});
  EXPECT_EQ(value(), 5);
}

TEST_F(VariableTest, ACompareExchangeWritesOnlyWhereItFindsWhatItExpects) {
  Effect effect = act(a, compare_exchange(1, 5));
  EXPECT_EQ(effect.error, EAGAIN);
  EXPECT_EQ(effect.value, 0);
  EXPECT_EQ(value(), 0);
  effect = act(a, compare_exchange(0, 5));
  EXPECT_EQ(effect.error, 0);
  EXPECT_EQ(effect.value, 0);
  EXPECT_EQ(value(), 5);
}

TEST_F(VariableTest, ASmallOneWrapsAround) {
  world.object(x).variable.size = 1;
  act(a, store(-1));
  EXPECT_EQ(value(), 255);
  EXPECT_EQ(act(a, compare_exchange(-1, 0x1fe)).error, 0);
  EXPECT_EQ(value(), 254);
  act(a, update(Update::Add, 3));
  EXPECT_EQ(value(), 1);
  act(a, update(Update::Nand, 1));
  EXPECT_EQ(value(), 254);
}

// Time follows what was written: who only reads leaves none behind.
TEST_F(VariableTest, OnlyWhoWritesLeavesItsTime) {
  act(a, load());
  act(a, load());
  act(a, compare_exchange(1, 2));
  EXPECT_EQ(world.object(x).clock_ns, 0);
  act(a, compare_exchange(0, 2));
  EXPECT_EQ(world.object(x).clock_ns, world.thread(a).clock_ns);
  act(b, load());
  EXPECT_GT(world.thread(b).clock_ns, world.thread(a).clock_ns);
}

}  // namespace
}  // namespace mazurka
