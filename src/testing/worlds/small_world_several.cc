// Worlds in which one operation uses several objects, processes or descriptions at once, for
// accesses_test.cc: somebody looks at each of them, so none of its accesses may be missing.
#include <poll.h>

#include "kinds/sockets/socket.h"
#include "testing/worlds/small_world.h"

namespace mazurka {
namespace {

constexpr ThreadId kA{0};
constexpr ThreadId kB{1};  // of the same process
constexpr ThreadId kC{2};  // a child process
constexpr ThreadId kD{3};  // another one

constexpr uint32_t bit(ThreadId thread) { return 1u << index(thread); }

MenuItem item(const std::string& name, const Operation& op, uint32_t who,
              Then then = Then::GoesOn) {
  return {keep(name), op, then, who};
}

// A child that ends with mutexes which its parent wants.
SmallWorldCase robust_mutexes() {
  constexpr uint32_t kCount = 7;
  SmallWorldCase made;
  made.name = "several robust mutexes";
  made.set_up = [](World& world) {
    world.create_thread(kA, kNoThread, kA);
    world.create_thread(kC, kA, kC);
    for (uint32_t i = 0; i < kCount; ++i) {
      world.create_object(ObjectId{i}, ObjectKind::Mutex, kNoProcess).mutex.robust = true;
      apply(world, kC, {.kind = OpKind::MutexLock, .object = ObjectId{i}}, kOnlyOutcome);
    }
  };
  for (uint32_t i = 0; i < kCount; ++i) {
    const Operation lock{.kind = OpKind::MutexLock, .flags = kTry, .object = ObjectId{i}};
    made.menu.push_back(item("try lock " + std::to_string(i), lock, bit(kA)));
  }
  made.menu.push_back(item("toss, exit", {.kind = OpKind::Toss}, bit(kC), Then::EndsProcess));
  made.menu.push_back(item("crash", {.kind = OpKind::Crash, .value = 11}, bit(kC)));
  return made;
}

// Whoever is waited for is not there any more.
SmallWorldCase children() {
  SmallWorldCase made;
  made.name = "several children";
  made.set_up = [](World& world) {
    world.create_thread(kA, kNoThread, kA);
    world.create_thread(kB, kA, kA);
    world.create_thread(kC, kA, kC);
    world.create_thread(kD, kA, kD);
  };
  const Operation wait{.kind = OpKind::WaitChild, .flags = kTry};
  made.menu = {item("wait for any child, or not", wait, bit(kA))};
  for (const ThreadId child : {kC, kD}) {
    const Operation ask{.kind = OpKind::SignalSend, .target = child, .value = 0};
    made.menu.push_back(item(child == kC ? "ask for child" : "ask for another", ask, bit(kB)));
  }
  made.menu.push_back(
      item("toss, exit", {.kind = OpKind::Toss}, bit(kC) | bit(kD), Then::EndsProcess));
  return made;
}

// Whoever becomes another program, while the others of its process wait or go on.
SmallWorldCase execs() {
  SmallWorldCase made;
  made.name = "exec";
  made.set_up = [](World& world) {
    world.create_thread(kA, kNoThread, kA);
    world.create_thread(kB, kA, kA);
    world.create_thread(kC, kA, kC);
  };
  const Operation wait{.kind = OpKind::WaitChild, .target = kC};
  made.menu = {item("exec", {.kind = OpKind::Exec}, ~0u),
               item("wait for child", wait, bit(kA) | bit(kB)),
               item("toss, leave", {.kind = OpKind::Toss}, ~0u, Then::LeavesThread)};
  return made;
}

// Two threads open one each: who comes first has the lower number.
SmallWorldCase fifos() {
  SmallWorldCase made;
  made.name = "several FIFOs";
  made.set_up = [](World& world) {
    world.create_thread(kA, kNoThread, kA);
    for (uint32_t i = 0; i < 2; ++i) {
      const ObjectId address{i};
      const ObjectId channel{2 + i};
      world.create_object(address, ObjectKind::Address, kNoProcess);
      world.create_object(channel, ObjectKind::Channel, kNoProcess).channel.slots = 1;
      world.create_object(ObjectId{4 + i}, ObjectKind::Description, kNoProcess);
      apply(world, kA, {.kind = OpKind::FifoMake, .object = address, .second = channel},
            kOnlyOutcome);
    }
    world.create_thread(kB, kA, kA);
  };
  for (const ThreadId who : {kA, kB}) {
    const uint32_t number = index(who);
    const ObjectId end{4 + number};
    const Operation open{.kind = OpKind::FifoOpen,
                         .object = ObjectId{number},
                         .second = end,
                         .value = kOpensToRead | kOpensAtOnce};
    made.menu.push_back(item(who == kA ? "open" : "open another", open, bit(who)));
    made.menu.push_back(item("close", {.kind = OpKind::DescriptionClose, .object = end}, bit(who)));
  }
  return made;
}

// A poll of three pipes, of which the last one changes.
SmallWorldCase polled_pipes() {
  constexpr uint32_t kCount = 3;
  constexpr ObjectId kLast{kCount - 1};
  constexpr ObjectId kReads{kCount + kCount - 1};
  constexpr ObjectId kWrites{2 * kCount};
  SmallWorldCase made;
  made.name = "several polled pipes";
  made.set_up = [=](World& world) {
    world.create_thread(kA, kNoThread, kA);
    for (uint32_t i = 0; i < kCount; ++i) {
      Channel& pipe = world.create_object(ObjectId{i}, ObjectKind::Channel, kNoProcess).channel;
      pipe.slots = 1;
      pipe.readers = pipe.writers = 1;
    }
    for (uint32_t i = kCount; i <= 2 * kCount; ++i) {
      const bool reads = ObjectId{i} != kWrites;
      Description& end =
          world.create_object(ObjectId{i}, ObjectKind::Description, kNoProcess).description;
      (reads ? end.reads : end.writes) = reads ? ObjectId{i - kCount} : kLast;
      end.add_holder(kA);
      if (reads) world.parts[world.part_count++] = polled(ObjectId{i}, POLLIN);
    }
    world.create_thread(kB, kA, kA);
  };
  const Operation poll{.kind = OpKind::Poll, .flags = kTry, .part_count = kCount};
  const Operation write{.kind = OpKind::ChannelWrite,
                        .flags = kTry,
                        .object = kLast,
                        .second = kWrites,
                        .value = kPageBytes};
  made.menu = {
      item("poll", poll, bit(kA)), item("write", write, bit(kB)),
      item("close to read", {.kind = OpKind::DescriptionClose, .object = kReads}, bit(kB)),
      item("close to write", {.kind = OpKind::DescriptionClose, .object = kWrites}, bit(kB))};
  return made;
}

}  // namespace

std::vector<SmallWorldCase> small_world_several() {
  return {robust_mutexes(), children(), execs(), fifos(), polled_pipes()};
}

}  // namespace mazurka
