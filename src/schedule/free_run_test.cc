#include "schedule/free_run.h"

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

using FreeRunTest = WorldFixture;

TEST_F(FreeRunTest, PassesOverWhoHasEndedUntilItBeginsAnew) {
  const auto run = std::make_unique<FreeRun>();
  const auto chosen = [&] {
    bool any = false;
    return run->choose_of_all(world, 0, false, any).thread;
  };
  run->begin();
  world.thread(a).pending = {.kind = OpKind::Join, .target = c};
  for (ThreadId thread : {b, c}) world.thread(thread).pending = {.kind = OpKind::Toss};
  EXPECT_EQ(chosen(), b);
  stand_at_exit(world, b, 0);
  EXPECT_EQ(chosen(), c);
  EXPECT_EQ(run->ended_before, index(c));
  stand_at_exit(world, c, 0);
  EXPECT_EQ(chosen(), a);
  world.thread(b).status = ThreadStatus::AtOperation;
  world.thread(a).pending = {.kind = OpKind::Join, .target = b};
  run->begin();
  EXPECT_EQ(chosen(), b);
}

}  // namespace
}  // namespace mazurka
