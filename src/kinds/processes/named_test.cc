#include "kinds/processes/named.h"

#include <errno.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class NamedTest : public WorldFixture {
 protected:
  Operation open(int64_t flags, ObjectId target = kNoObject) const {
    return {.kind = OpKind::NameOpen, .object = n, .second = target, .value = flags};
  }
  Operation unlink() const { return {.kind = OpKind::NameUnlink, .object = n}; }

  const ObjectId n = make(ObjectKind::Named);
};

TEST_F(NamedTest, OpeningWhatDoesNotExistIsAnError) {
  EXPECT_EQ(act(a, open(0)).error, ENOENT);
  EXPECT_FALSE(world.object(n).named.exists);
}

TEST_F(NamedTest, CreateMakesItOnceAndThenFindsIt) {
  Effect effect = act(a, open(kCreate, ObjectId{7}));
  EXPECT_EQ(effect.error, 0);
  EXPECT_EQ(effect.value, 1);
  EXPECT_EQ(world.object(n).named.target, ObjectId{7});
  effect = act(b, open(kCreate, ObjectId{8}));
  EXPECT_EQ(effect.error, 0);
  EXPECT_EQ(effect.value, 0);
  EXPECT_EQ(world.object(n).named.target, ObjectId{7});
  EXPECT_EQ(act(b, open(0)).error, 0);
}

TEST_F(NamedTest, ExclusiveCreateFailsWhereItExists) {
  EXPECT_EQ(act(a, open(kCreate | kExclusive)).error, 0);
  EXPECT_EQ(act(b, open(kCreate | kExclusive)).error, EEXIST);
  EXPECT_EQ(act(b, open(kExclusive)).error, 0);
}

TEST_F(NamedTest, AnUnlinkedNameCanBeMadeAgain) {
  act(a, open(kCreate, ObjectId{7}));
  EXPECT_EQ(act(b, unlink()).error, 0);
  EXPECT_EQ(act(b, unlink()).error, ENOENT);
  EXPECT_EQ(act(a, open(0)).error, ENOENT);
  act(a, open(kCreate, ObjectId{8}));
  EXPECT_EQ(world.object(n).named.target, ObjectId{8});
  EXPECT_EQ(world.object(n).named.generation, 2u);
}

TEST_F(NamedTest, FindingANameDoesNotShowTimeToOtherFinders) {
  act(a, open(kCreate));
  for (int i = 0; i < 10; ++i) act(b, {.kind = OpKind::Toss});
  act(b, open(0));
  act(c, open(0));
  EXPECT_EQ(world.thread(c).clock_ns, 2000);
}

}  // namespace
}  // namespace mazurka
