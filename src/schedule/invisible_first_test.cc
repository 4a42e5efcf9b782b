#include "schedule/invisible_first.h"

#include "objects/world_fixture.h"
#include "schedule/composed.h"

namespace mazurka {
namespace {

class InvisibleFirst : public WorldFixture {
 protected:
  // Whether the thread, about to do this, goes first.
  bool is_hidden(ThreadId thread, const Operation& op) {
    world.thread(thread).status = ThreadStatus::AtOperation;
    world.thread(thread).pending = op;
    return is_invisible(world, visible, thread);
  }
  ObjectId locked(MutexType type = MutexType::Normal, bool robust = false) {
    const ObjectId id = make(ObjectKind::Mutex);
    world.object(id).mutex.type = type;
    world.object(id).mutex.robust = robust;
    act(b, {.kind = OpKind::MutexLock, .object = id});
    return id;
  }

  LockMarks visible;
};

TEST_F(InvisibleFirst, OnlyTheOwnersReleaseIsInvisible) {
  const ObjectId m = locked();
  EXPECT_TRUE(is_hidden(b, {.kind = OpKind::MutexUnlock, .object = m}));
  EXPECT_FALSE(is_hidden(c, {.kind = OpKind::MutexUnlock, .object = m}));
  EXPECT_FALSE(is_hidden(c, {.kind = OpKind::MutexLock, .object = m}));
  EXPECT_EQ(first_invisible(world, visible, 0), b);
  EXPECT_EQ(first_invisible(world, visible, 1), kNoThread);  // it stands at the bound
}

TEST_F(InvisibleFirst, MarkedAndRobustLocksAreReleasedInView) {
  const ObjectId m = locked();
  visible.add(m);
  EXPECT_FALSE(is_hidden(b, {.kind = OpKind::MutexUnlock, .object = m}));
  EXPECT_FALSE(
      is_hidden(b, {.kind = OpKind::MutexUnlock, .object = locked(MutexType::Normal, true)}));
}

TEST_F(InvisibleFirst, LockingARecursiveMutexOnceMoreIsInvisible) {
  const ObjectId m = locked(MutexType::Recursive);
  visible.add(m);  // nobody else can tell, not even by a try
  EXPECT_TRUE(is_hidden(b, {.kind = OpKind::MutexLock, .object = m}));
  EXPECT_FALSE(is_hidden(c, {.kind = OpKind::MutexLock, .object = m}));
  EXPECT_FALSE(is_hidden(b, {.kind = OpKind::MutexLock, .object = locked(MutexType::ErrorCheck)}));
}

TEST_F(InvisibleFirst, ReadersAndWritersReleaseOutOfView) {
  const ObjectId l = make(ObjectKind::RwLock);
  act(b, {.kind = OpKind::ReadLock, .object = l});
  EXPECT_TRUE(is_hidden(b, {.kind = OpKind::RwUnlock, .object = l}));
  EXPECT_FALSE(is_hidden(c, {.kind = OpKind::RwUnlock, .object = l}));
}

TEST_F(InvisibleFirst, TriesTimeoutsAndDestroyersLookAtLocks) {
  EXPECT_TRUE(looks_at_lock({.kind = OpKind::MutexLock, .flags = kTry}));
  EXPECT_TRUE(looks_at_lock({.kind = OpKind::WriteLock, .flags = kTimed}));
  EXPECT_TRUE(looks_at_lock({.kind = OpKind::ReadLock, .flags = kTry}));
  EXPECT_TRUE(looks_at_lock({.kind = OpKind::RwDestroy}));
  EXPECT_TRUE(looks_at_lock({.kind = OpKind::MutexDestroy}));
  EXPECT_FALSE(looks_at_lock({.kind = OpKind::MutexLock}));
  EXPECT_FALSE(looks_at_lock({.kind = OpKind::SemWait, .flags = kTry}));
}

// --- composed transitions

Mode mode_of_lock(bool gives_back) {
  const ObjectId m{3};
  ComposedTransition transition;
  transition.begin({.kind = OpKind::MutexLock, .object = m}, true);
  transition.add(object_resource(m), Mode::Write);
  if (gives_back) transition.note({.kind = OpKind::MutexUnlock, .object = m});
  transition.end();
  return transition.accesses[0].mode;
}

TEST(Composed, ALockThatIsGivenBackIsOnlyRead) {
  EXPECT_EQ(mode_of_lock(true), Mode::Read);
  EXPECT_EQ(mode_of_lock(false), Mode::Write);
}

TEST(Composed, ARecursiveLockMustBeGivenBackAsOftenAsItWasTaken) {
  const ObjectId m{3};
  ComposedTransition transition;
  transition.begin({.kind = OpKind::MutexLock, .object = m}, true);
  transition.add(object_resource(m), Mode::Write);
  transition.note({.kind = OpKind::MutexLock, .object = m});
  transition.note({.kind = OpKind::MutexUnlock, .object = m});
  transition.end();
  EXPECT_EQ(transition.accesses[0].mode, Mode::Write);
}

}  // namespace
}  // namespace mazurka
