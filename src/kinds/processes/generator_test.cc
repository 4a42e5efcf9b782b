#include "kinds/processes/generator.h"

#include <gtest/gtest.h>

#include "objects/accesses.h"
#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class GeneratorTest : public WorldFixture {
 protected:
  const ObjectId numbers = make(ObjectKind::Generator);
  const Operation draw{.kind = OpKind::GeneratorDraw, .object = numbers};
};

TEST_F(GeneratorTest, WhoDrawsFirstGetsTheFirstNumber) {
  EXPECT_EQ(act(b, draw).value, 0);
  EXPECT_EQ(act(a, draw).value, 1);
}

TEST_F(GeneratorTest, ASeedStartsTheSequenceAnew) {
  act(a, draw);
  act(b, {.kind = OpKind::GeneratorSeed, .object = numbers, .value = 42});
  EXPECT_EQ(act(a, draw).value, 0);
  EXPECT_EQ(world.object(numbers).generator.seed, 42);
}

TEST_F(GeneratorTest, DrawsDoNotCommute) {
  Access room[16];
  AccessList list{room, 16};
  accesses(world, a, draw, kOnlyOutcome, list);
  EXPECT_EQ(room[list.count - 1].resource, object_resource(numbers));
  EXPECT_EQ(room[list.count - 1].mode, Mode::Write);
}

}  // namespace
}  // namespace mazurka
