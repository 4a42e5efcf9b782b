#include "kinds/signals/signals.h"

#include <errno.h>
#include <signal.h>

#include "objects/world_fixture.h"

namespace mazurka {
namespace {

constexpr int kQueuing = 40;
constexpr Outcome first(int signal) { return static_cast<Outcome>(kTakesFirst | signal); }
constexpr Outcome then(int signal) { return static_cast<Outcome>(kTakesThen | signal); }
constexpr int64_t set_of(int signal) { return static_cast<int64_t>(signal_bit(signal)); }

class Signals : public WorldFixture {
 protected:
  static Operation send(ThreadId target, int signal, uint8_t flags = 0, int64_t value = 0) {
    return {.kind = OpKind::SignalSend,
            .flags = flags,
            .target = target,
            .value = signal,
            .desired = value};
  }
  void handle(int signal, uint8_t flags = 0, int64_t mask = 0) {
    act(a, {.kind = OpKind::SignalAction,
            .flags = static_cast<uint8_t>(kHandles | flags),
            .value = signal,
            .desired = mask});
  }
  void block(ThreadId thread, uint64_t set) { world.thread(thread).blocked = set; }

  const Operation toss{.kind = OpKind::Toss};
  using List = std::vector<Outcome>;
};

TEST_F(Signals, AThreadMayTakeOneBeforeWhateverItDoes) {
  handle(SIGUSR1);
  EXPECT_EQ(outcomes(b, toss), List{0});
  act(a, send(b, SIGUSR1, kToThread));
  EXPECT_EQ(outcomes(b, toss), (List{0, first(SIGUSR1)}));
  EXPECT_EQ(outcomes(c, toss), List{0});
  const Effect effect = act(b, toss, first(SIGUSR1));
  EXPECT_EQ(effect.error, kOnceMore);
  EXPECT_EQ(effect.signal, SIGUSR1);
  EXPECT_EQ(world.thread(b).blocked, signal_bit(SIGUSR1));
  EXPECT_EQ(world.thread(b).restores, 0u);
  EXPECT_EQ(outcomes(b, toss), List{0});
}

// signal(7): "Interruption of system calls and library functions by signal handlers".
TEST_F(Signals, InterruptWaitsForOthersButNotForLocksAndThreads) {
  for (const OpKind kind : {OpKind::SemWait, OpKind::Semop, OpKind::WaitChild, OpKind::ChannelRead,
                            OpKind::ChannelWrite, OpKind::Poll, OpKind::QueueSend,
                            OpKind::QueueReceive, OpKind::SocketConnect, OpKind::SocketAccept,
                            OpKind::DatagramSend, OpKind::FileLock, OpKind::SignalWait}) {
    EXPECT_TRUE(is_interruptible({.kind = kind})) << name_of(kind);
  }
  for (const OpKind kind : {OpKind::MutexLock, OpKind::ReadLock, OpKind::WriteLock, OpKind::Join,
                            OpKind::OnceBegin, OpKind::BarrierLeave, OpKind::CondReacquire}) {
    EXPECT_FALSE(is_interruptible({.kind = kind})) << name_of(kind);
  }
}

TEST_F(Signals, OneForTheProcessIsTakenByAnyThreadThatDoesNotBlockIt) {
  handle(SIGUSR1);
  const ProcessId other = fork(a);
  block(a, signal_bit(SIGUSR1));
  act(other, send(a, SIGUSR1));
  EXPECT_EQ(outcomes(a, toss), List{0});
  EXPECT_EQ(outcomes(b, toss), (List{0, first(SIGUSR1)}));
  act(b, toss, first(SIGUSR1));
  EXPECT_EQ(outcomes(c, toss), List{0});
}

TEST_F(Signals, ThatAreNotQueuedArePendingOnce) {
  block(a, signal_bit(SIGUSR1) | signal_bit(kQueuing));
  for (const int64_t value : {1, 2}) {
    act(b, send(a, SIGUSR1, kToThread));
    act(b, send(a, kQueuing, kToThread | kQueued, value));
  }
  const auto wait = [](int signal) {
    return Operation{.kind = OpKind::SignalWait, .value = set_of(signal)};
  };
  EXPECT_EQ(act(a, wait(SIGUSR1)).signal, SIGUSR1);
  EXPECT_FALSE(can(a, wait(SIGUSR1)));
  for (const int64_t value : {1, 2}) {
    act(a, wait(kQueuing));
    EXPECT_EQ(world.thread(a).taken.value, value);
  }
  EXPECT_FALSE(can(a, wait(kQueuing)));
}

TEST_F(Signals, ToOneselfAreTakenAtOnce) {
  handle(SIGUSR1);
  const Operation raise = send(a, SIGUSR1, kToThread);
  EXPECT_EQ(outcomes(a, raise), List{then(SIGUSR1)});
  EXPECT_EQ(act(a, raise).error, 0);
  EXPECT_EQ(world.signal_count, 0u);
  // Another thread may take what is sent to the process.
  EXPECT_EQ(outcomes(b, send(a, SIGUSR1)), List{0});
}

TEST_F(Signals, MakeAWaitFailUnlessItIsRestarted) {
  handle(SIGUSR1);
  const ObjectId semaphore = make(ObjectKind::Semaphore);
  const Operation wait{.kind = OpKind::SemWait, .object = semaphore};
  act(a, send(b, SIGUSR1, kToThread));
  EXPECT_EQ(outcomes(b, wait), (List{first(SIGUSR1), then(SIGUSR1)}));
  handle(SIGUSR1, kRestarts);
  EXPECT_EQ(outcomes(b, wait), List{first(SIGUSR1)});
  handle(SIGUSR1);
  EXPECT_EQ(act(b, wait, then(SIGUSR1)).error, EINTR);
  act(a, send(b, SIGUSR1, kToThread));
  world.thread(b).blocked = 0;
  world.object(semaphore).semaphore.value = 1;
  EXPECT_EQ(outcomes(b, wait), (List{0, first(SIGUSR1)}));
}

TEST_F(Signals, NeverMakeALockFail) {
  handle(SIGUSR1);
  const ObjectId mutex = make(ObjectKind::Mutex);
  const Operation lock{.kind = OpKind::MutexLock, .object = mutex};
  act(a, lock);
  act(a, send(b, SIGUSR1, kToThread));
  EXPECT_EQ(outcomes(b, lock), List{first(SIGUSR1)});
}

TEST_F(Signals, APauseTakesWhatItsMaskLetsThrough) {
  handle(SIGUSR1);
  block(a, signal_bit(SIGUSR1));
  const Operation suspend{.kind = OpKind::SignalPause, .value = 0};
  const Operation pause{.kind = OpKind::SignalPause, .value = set_of(SIGUSR1)};
  act(b, send(a, SIGUSR1, kToThread));
  EXPECT_FALSE(can(a, pause));
  EXPECT_EQ(outcomes(a, suspend), List{then(SIGUSR1)});
  EXPECT_EQ(act(a, suspend).error, EINTR);
  EXPECT_EQ(world.thread(a).restores, signal_bit(SIGUSR1));
}

TEST_F(Signals, ThatAreUnblockedAreTakenAtOnce) {
  handle(SIGUSR1, kNoDefer | kResetsAction, set_of(SIGUSR2));
  block(a, signal_bit(SIGUSR1));
  act(b, send(a, SIGUSR1, kToThread));
  const Operation unblock{.kind = OpKind::SignalMask, .value = 0};
  EXPECT_EQ(outcomes(a, unblock), List{then(SIGUSR1)});
  act(a, unblock);
  EXPECT_EQ(world.thread(a).blocked, signal_bit(SIGUSR2));
  EXPECT_EQ(world.thread(a).restores, 0u);
  EXPECT_EQ(signal_table(world, a).handled, 0u);
}

TEST_F(Signals, EndTheProcessByDefault) {
  const ProcessId child = fork(a);
  act(a, send(child, SIGTERM));
  const Effect effect = act(child, {.kind = OpKind::SignalPause}, first(SIGTERM));
  EXPECT_EQ(effect.value, kEndedProcess);
  EXPECT_TRUE(at_exit(child));
  EXPECT_EQ(act(a, {.kind = OpKind::WaitChild, .target = child}).value, SIGTERM);
  EXPECT_EQ(act(a, send(child, 0)).error, ESRCH);
}

TEST_F(Signals, ThatAreIgnoredAreDropped) {
  act(a, {.kind = OpKind::SignalAction, .flags = kIgnores, .value = SIGUSR1});
  act(b, send(a, SIGUSR1));
  act(b, send(a, SIGCHLD));
  EXPECT_EQ(world.signal_count, 0u);
}

TEST_F(Signals, AParentThatWantsToKnowIsToldOfTheEndOfAChild) {
  const ProcessId quiet = fork(a);
  EXPECT_FALSE(process_end_is_noticed(world, quiet));
  act(quiet, {.kind = OpKind::ProcessEnd});
  EXPECT_EQ(world.signal_count, 0u);
  handle(SIGCHLD);
  const ProcessId child = fork(a);
  EXPECT_TRUE(process_end_is_noticed(world, child));
  act(child, {.kind = OpKind::ProcessEnd});
  EXPECT_EQ(outcomes(a, toss), (List{0, first(SIGCHLD)}));
}

TEST_F(Signals, OfATimerComeOnceAndNotAfterItWasCancelled) {
  handle(SIGALRM);
  const Operation set = send(a, SIGALRM, kFromTimer);
  EXPECT_EQ(outcomes(a, set), List{0});
  act(a, set);
  act(b, set, 0);
  EXPECT_EQ(world.signal_count, 1u);
  EXPECT_EQ(act(a, {.kind = OpKind::SignalCancel, .value = SIGALRM}, 0).value, 1);
  EXPECT_EQ(outcomes(a, toss), List{0});
}

TEST_F(Signals, ChildrenInheritMasksAndActionsButNothingPending) {
  handle(SIGUSR1);
  block(a, signal_bit(SIGUSR1));
  act(b, send(a, SIGUSR1, kToThread));
  const ProcessId child = fork(a);
  EXPECT_EQ(world.thread(child).blocked, signal_bit(SIGUSR1));
  EXPECT_EQ(signal_table(world, child).handled, signal_bit(SIGUSR1));
  EXPECT_EQ(deliverable(world, child, 0), 0u);
  act(child, {.kind = OpKind::Exec});
  EXPECT_EQ(signal_table(world, child).handled, 0u);
  EXPECT_EQ(signal_table(world, a).handled, signal_bit(SIGUSR1));
}

}  // namespace
}  // namespace mazurka
