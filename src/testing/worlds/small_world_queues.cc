// The worlds of message queues, for accesses_test.cc.
#include <poll.h>

#include "testing/worlds/small_world.h"

namespace mazurka {
namespace {

using Menu = std::vector<MenuItem>;

constexpr ThreadId kA{0};
constexpr ThreadId kB{1};
constexpr ThreadId kC{2};
constexpr ObjectId kQueue{0};
constexpr ObjectId kName{1};
constexpr ObjectId kEnd{2};  // the description, of POSIX queues

MenuItem item(const std::string& name, const Operation& op, Then then = Then::GoesOn) {
  return {keep(name), op, then};
}

Operation send(int64_t length, int64_t type, ObjectId end, uint8_t flags = 0) {
  return {.kind = OpKind::QueueSend,
          .flags = flags,
          .object = kQueue,
          .second = end,
          .value = length,
          .desired = type};
}
Operation receive(int64_t length, int64_t type, ObjectId end, uint8_t flags = 0) {
  return {.kind = OpKind::QueueReceive,
          .flags = flags,
          .object = kQueue,
          .second = end,
          .value = length,
          .desired = type};
}

void set_up(World& world, Queue::Form form, uint32_t most) {
  world.create_thread(kA, kNoThread, kA);
  Queue& queue = world.create_object(kQueue, ObjectKind::Queue, kNoProcess).queue;
  queue.form = form;
  queue.most = most;
  world.create_object(kName, ObjectKind::Named, kNoProcess).named.exists = true;
  Description& end = world.create_object(kEnd, ObjectKind::Description, kNoProcess).description;
  end.reads = end.writes = kQueue;
  end.add_holder(kA);
  world.create_thread(kB, kA, kA);
  world.create_thread(kC, kA, kC);
}

SmallWorldCase posix(bool with_ends) {
  SmallWorldCase made;
  made.name = with_ends ? "POSIX queue, ends" : "POSIX queue";
  Menu& menu = made.menu;
  menu.push_back(item("send", send(1, 0, kEnd)));
  menu.push_back(item("send urgently", send(1, 1, kEnd)));
  menu.push_back(item("receive", receive(1, 0, kEnd)));
  menu.push_back(item("try receive", receive(1, 0, kEnd, kTry)));
  menu.push_back(item("close", {.kind = OpKind::DescriptionClose, .object = kEnd}));
  if (with_ends) {
    menu.push_back(item("toss, leave", {.kind = OpKind::Toss}, Then::EndsProcess));
    menu.push_back(item("crash", {.kind = OpKind::Crash, .value = 11}));
  } else {
    menu.push_back(item("try send", send(1, 0, kEnd, kTry)));
    menu.push_back(
        item("attributes", {.kind = OpKind::QueueGet, .object = kQueue, .second = kEnd}));
    menu.push_back(
        item("do not block", {.kind = OpKind::DescriptionSet,
                              .object = kEnd,
                              .value = static_cast<int64_t>(DescriptionChange::NonBlocking)}));
    menu.push_back(
        item("poll for input", {.kind = OpKind::Poll, .part_begin = 0, .part_count = 1}));
    menu.push_back(item("poll for room",
                        {.kind = OpKind::Poll, .flags = kTry, .part_begin = 1, .part_count = 1}));
  }
  made.set_up = [](World& world) {
    set_up(world, Queue::Form::Posix, 2);
    world.parts[world.part_count++] = polled(kEnd, POLLIN);
    world.parts[world.part_count++] = polled(kEnd, POLLOUT);
  };
  return made;
}

SmallWorldCase system_v(bool with_removal) {
  SmallWorldCase made;
  made.name = with_removal ? "System V queue, removal" : "System V queue";
  Menu& menu = made.menu;
  menu.push_back(item("send type 1", send(1, 1, kNoObject)));
  menu.push_back(item("send type 2", send(2, 2, kNoObject)));
  menu.push_back(item("receive any", receive(2, 0, kNoObject)));
  menu.push_back(item("receive type 2", receive(2, 2, kNoObject)));
  menu.push_back(item("receive up to type 2", receive(2, -2, kNoObject, kTry)));
  if (with_removal) {
    menu.push_back(
        item("remove", {.kind = OpKind::QueueRemove, .object = kQueue, .second = kName}));
    menu.push_back(item("open", {.kind = OpKind::NameOpen, .object = kName}));
    menu.push_back(item("try send", send(1, 1, kNoObject, kTry)));
    menu.push_back(item("state", {.kind = OpKind::QueueGet, .object = kQueue}));
  } else {
    menu.push_back(item("receive but type 2", receive(2, 2, kNoObject, kTry | kExcept)));
    menu.push_back(item("receive a byte", receive(1, 0, kNoObject, kTry)));
    menu.push_back(item("receive a byte of it", receive(1, 0, kNoObject, kCut)));
    menu.push_back(item("timed receive", receive(2, 1, kNoObject, kTimed)));
    menu.push_back(item("more room", {.kind = OpKind::QueueSet, .object = kQueue, .value = 3}));
    menu.back().who = 3;
  }
  made.set_up = [](World& world) { set_up(world, Queue::Form::SystemV, 2); };
  return made;
}

}  // namespace

std::vector<SmallWorldCase> small_world_queues() {
  return {posix(false), posix(true), system_v(false), system_v(true)};
}

}  // namespace mazurka
