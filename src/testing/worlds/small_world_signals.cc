// The worlds of signals, for accesses_test.cc: two threads of one process and a process of its own.
#include <signal.h>

#include "testing/worlds/small_world.h"

namespace mazurka {
namespace {

using Menu = std::vector<MenuItem>;

constexpr ThreadId kA{0};
constexpr ThreadId kB{1};  // of the same process
constexpr ThreadId kC{2};  // a child process of it
constexpr ObjectId kX{0};
constexpr int kUser = SIGUSR1;
constexpr int kQueuing = 40;

MenuItem item(const std::string& name, const Operation& op, uint32_t who = ~0u,
              Then then = Then::GoesOn) {
  return {keep(name), op, then, who};
}
constexpr uint32_t bit(ThreadId thread) { return 1u << index(thread); }
constexpr int64_t set_of(int signal) { return static_cast<int64_t>(signal_bit(signal)); }

Operation send(ThreadId target, int signal, uint8_t flags = 0) {
  return {.kind = OpKind::SignalSend, .flags = flags, .target = target, .value = signal};
}
Operation act(int signal, uint8_t flags, int64_t mask = 0) {
  return {.kind = OpKind::SignalAction, .flags = flags, .value = signal, .desired = mask};
}
Operation mask(int64_t blocked) { return {.kind = OpKind::SignalMask, .value = blocked}; }
Operation wait_for(int signal, uint8_t flags = 0) {
  return {.kind = OpKind::SignalWait, .flags = flags, .value = set_of(signal)};
}

void set_up(World& world, uint64_t blocked, uint64_t handled, uint8_t flags) {
  world.create_thread(kA, kNoThread, kA);
  for (int signal = 1; signal <= kLastSignal; ++signal) {
    if ((handled & signal_bit(signal)) != 0)
      on_signals::set_action(world, kA, act(signal, flags), kOnlyOutcome);
  }
  world.thread(kA).blocked = blocked;
  world.create_thread(kB, kA, kA);
  world.create_thread(kC, kA, kC);
  world.create_object(kX, ObjectKind::Semaphore, kNoProcess);
}

SmallWorldCase handled(const std::string& name, int signal, uint8_t flags) {
  SmallWorldCase made;
  made.name = name;
  made.set_up = [=](World& world) { set_up(world, 0, signal_bit(signal), flags); };
  made.menu = {
      item("kill", send(kA, signal), bit(kC)),
      item("kill thread", send(kB, signal, kToThread), bit(kA)),
      item("raise", send(kB, signal, kToThread), bit(kB)),
      item("post", {.kind = OpKind::SemPost, .object = kX}, bit(kC)),
      item("wait", {.kind = OpKind::SemWait, .object = kX}, bit(kA) | bit(kB)),
      item("timed wait", {.kind = OpKind::SemWait, .flags = kTimed, .object = kX}, bit(kB)),
      item("join nobody", {.kind = OpKind::Join, .target = ThreadId{kMaxThreads - 1}}, bit(kB)),
      item("toss", {.kind = OpKind::Toss})};
  return made;
}

SmallWorldCase masks() {
  SmallWorldCase made;
  made.name = "masks";
  const uint64_t blocked = signal_bit(kUser);
  made.set_up = [=](World& world) { set_up(world, blocked, signal_bit(kUser), kHandles); };
  made.menu = {
      item("kill", send(kA, kUser), bit(kC)),
      item("kill thread", send(kA, kUser, kToThread), bit(kB)),
      item("kill oneself", send(kA, kUser), bit(kA)),
      item("block", mask(set_of(kUser)), bit(kA)),
      item("unblock", mask(0), bit(kA)),
      item("suspend", {.kind = OpKind::SignalPause, .value = 0}, bit(kA) | bit(kB)),
      item("pause", {.kind = OpKind::SignalPause, .value = set_of(kUser)}, bit(kA) | bit(kB)),
      item("poll with mask", {.kind = OpKind::Poll, .flags = kOwnMask}, bit(kA)),
      item("try to poll with mask", {.kind = OpKind::Poll, .flags = kTry | kOwnMask}, bit(kA)),
      item("wait for signal", wait_for(kUser), bit(kB)),
      item("try for signal", wait_for(kUser, kTry), bit(kA)),
      item("look", {.kind = OpKind::SignalLook}, bit(kA) | bit(kB)),
      item("toss", {.kind = OpKind::Toss}, bit(kB) | bit(kC))};
  return made;
}

SmallWorldCase actions() {
  SmallWorldCase made;
  made.name = "actions";
  made.set_up = [](World& world) { set_up(world, 0, 0, 0); };
  made.menu = {item("kill", send(kA, kUser), bit(kC)),
               item("kill child", send(kC, SIGTERM), bit(kA)),
               item("ask for child", send(kC, 0), bit(kB)),
               item("wait for child", {.kind = OpKind::WaitChild, .target = kC}, bit(kA)),
               item("handle", act(kUser, kHandles), bit(kA)),
               item("ignore", act(kUser, kIgnores), bit(kB)),
               item("handle term", act(SIGTERM, kHandles | kResetsAction), bit(kC)),
               item("toss", {.kind = OpKind::Toss}),
               item("toss, leave", {.kind = OpKind::Toss}, bit(kC), Then::EndsProcess)};
  return made;
}

SmallWorldCase children() {
  SmallWorldCase made;
  made.name = "ends of children";
  made.set_up = [](World& world) { set_up(world, 0, 0, 0); };
  made.menu = {item("handle", act(SIGCHLD, kHandles), bit(kA)),
               item("default", act(SIGCHLD, 0), bit(kB)),
               item("block", mask(set_of(SIGCHLD)), bit(kA)),
               item("unblock", mask(0), bit(kA)),
               item("wait for signal", wait_for(SIGCHLD), bit(kB)),
               item("wait for any child", {.kind = OpKind::WaitChild, .flags = kTry}, bit(kB)),
               item("toss", {.kind = OpKind::Toss}, bit(kA) | bit(kB)),
               item("toss, fork", {.kind = OpKind::Toss}, bit(kB), Then::Forks),
               item("toss, leave", {.kind = OpKind::Toss}, ~bit(kB), Then::EndsProcess)};
  return made;
}

SmallWorldCase queues() {
  SmallWorldCase made;
  made.name = "queued signals and timers";
  made.set_up = [](World& world) {
    set_up(world, signal_bit(kQueuing), signal_bit(SIGALRM), kHandles | kRestarts);
  };
  Operation first = send(kA, kQueuing, kQueued);
  Operation second = first;
  second.desired = 1;
  made.menu = {
      item("queue first", first, bit(kC)),
      item("queue second", second, bit(kB)),
      item("wait for signal", wait_for(kQueuing), bit(kA) | bit(kB)),
      item("set timer", send(kA, SIGALRM, kFromTimer), bit(kA)),
      item("cancel timer", {.kind = OpKind::SignalCancel, .value = SIGALRM}, bit(kA) | bit(kB)),
      item("block alarm", mask(set_of(SIGALRM) | set_of(kQueuing)), bit(kA)),
      item("look", {.kind = OpKind::SignalLook}, bit(kA)),
      item("to all", send(kNoThread, SIGALRM, kToAll), bit(kB) | bit(kC)),
      item("wait", {.kind = OpKind::SemWait, .object = kX}, bit(kB)),
      item("post", {.kind = OpKind::SemPost, .object = kX}, bit(kC))};
  return made;
}

}  // namespace

std::vector<SmallWorldCase> small_world_signals() {
  return {handled("handled signal", kUser, kHandles),
          handled("handled signal, restarting", kUser, kHandles | kRestarts | kNoDefer),
          handled("handled once", kUser, kHandles | kResetsAction),
          masks(),
          actions(),
          children(),
          queues()};
}

}  // namespace mazurka
