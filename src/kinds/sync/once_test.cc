#include "kinds/sync/once.h"

#include <errno.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

class OnceTest : public WorldFixture {
 protected:
  Operation begin() const { return {.kind = OpKind::OnceBegin, .object = o}; }
  Operation end(int64_t done) const {
    return {.kind = OpKind::OnceEnd, .object = o, .value = done};
  }

  const ObjectId o = make(ObjectKind::Once);
};

TEST_F(OnceTest, TheFirstRunsItAndTheOthersWait) {
  EXPECT_EQ(act(a, begin()).error, EAGAIN);
  EXPECT_FALSE(can(b, begin()));
  act(a, end(1));
  EXPECT_EQ(act(b, begin()).error, 0);
  EXPECT_EQ(act(a, begin()).error, 0);
}

TEST_F(OnceTest, BeginningItFromInsideBlocks) {
  act(a, begin());
  EXPECT_FALSE(can(a, begin()));
}

TEST_F(OnceTest, AnAbandonedRunLetsTheNextOneTry) {
  act(a, begin());
  act(a, end(0));
  EXPECT_EQ(act(b, begin()).error, EAGAIN);
  EXPECT_EQ(world.object(o).once.runner, b);
}

TEST_F(OnceTest, WhoFindsItDoneHasTheTimeOfItsEnd) {
  act(a, begin());
  for (int i = 0; i < 10; ++i) act(a, {.kind = OpKind::Toss});
  act(a, end(1));
  act(b, begin());
  EXPECT_EQ(world.thread(b).clock_ns, 13'000);
}

}  // namespace
}  // namespace mazurka
