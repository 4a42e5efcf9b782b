// The world of timers, for accesses_test.cc: one timer, a pipe beside it, and polls for one and for
// both.
#include <poll.h>

#include "testing/worlds/small_world.h"

namespace mazurka {
namespace {

constexpr ThreadId kA{0};
constexpr ThreadId kB{1};
constexpr ThreadId kC{2};
constexpr ObjectId kTimer{0};
constexpr ObjectId kTimerEnd{1};
constexpr ObjectId kPipe{2};
constexpr ObjectId kPipeEnd{3};
constexpr int64_t kSecond = 1'000'000'000;

MenuItem item(const char* name, const Operation& op) { return {name, op, Then::GoesOn}; }

Operation timer_op(OpKind kind, uint8_t flags = 0, int64_t value = 0, int64_t interval = 0) {
  return {.kind = kind,
          .flags = flags,
          .object = kTimer,
          .second = kTimerEnd,
          .value = value,
          .desired = interval};
}

Operation poll(uint8_t flags, uint32_t first, uint32_t count) {
  Operation op{.kind = OpKind::Poll,
               .flags = static_cast<uint8_t>(flags | kMayExpire),
               .part_begin = first,
               .part_count = count};
  op.deadline_ns = kSecond / 2;
  return op;
}

void set_up(World& world) {
  world.create_thread(kA, kNoThread, kA);
  world.create_object(kTimer, ObjectKind::Timer, kNoProcess);
  Description& timer_end =
      world.create_object(kTimerEnd, ObjectKind::Description, kNoProcess).description;
  timer_end.reads = kTimer;
  timer_end.add_holder(kA);
  Channel& pipe = world.create_object(kPipe, ObjectKind::Channel, kNoProcess).channel;
  pipe.slots = 1;
  pipe.readers = pipe.writers = 1;
  Description& pipe_end =
      world.create_object(kPipeEnd, ObjectKind::Description, kNoProcess).description;
  pipe_end.reads = pipe_end.writes = kPipe;
  pipe_end.add_holder(kA);
  world.create_thread(kB, kA, kA);
  world.create_thread(kC, kA, kC);
  world.parts[world.part_count++] = polled(kTimerEnd, POLLIN);
  world.parts[world.part_count++] = polled(kPipeEnd, POLLIN);
}

}  // namespace

std::vector<SmallWorldCase> small_world_timers() {
  SmallWorldCase made;
  made.name = "timer";
  made.menu = {
      item("set", timer_op(OpKind::TimerSet, 0, kSecond)),
      item("set to repeat", timer_op(OpKind::TimerSet, 0, kSecond, kSecond)),
      item("set off", timer_op(OpKind::TimerSet)),
      item("read", timer_op(OpKind::TimerRead)),
      item("try read", timer_op(OpKind::TimerRead, kTry)),
      item("get", timer_op(OpKind::TimerGet)),
      item("poll for the timer", poll(0, 0, 1)),
      item("look at the timer", poll(kTry, 0, 1)),
      item("poll for both", poll(0, 0, 2)),
      item("poll for both for a while", poll(kTimed, 0, 2)),
      item("write",
           {.kind = OpKind::ChannelWrite, .object = kPipe, .second = kPipeEnd, .value = 4096}),
      item("read pipe",
           {.kind = OpKind::ChannelRead, .object = kPipe, .second = kPipeEnd, .value = 4096}),
      item("close", {.kind = OpKind::DescriptionClose, .object = kTimerEnd})};
  made.set_up = set_up;
  return {made};
}

}  // namespace mazurka
