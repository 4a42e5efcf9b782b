// The worlds of locks of files, for accesses_test.cc.
#include <signal.h>

#include "testing/worlds/small_world.h"

namespace mazurka {
namespace {

using Menu = std::vector<MenuItem>;

constexpr ThreadId kA{0};
constexpr ThreadId kB{1};
constexpr ThreadId kC{2};
constexpr ObjectId kFile{0};
constexpr ObjectId kInherited{1};  // a description that both processes hold
constexpr ObjectId kOwn{2};        // one that the child does not

constexpr uint32_t kParents = 0b011;

MenuItem item(const std::string& name, const Operation& op, Then then = Then::GoesOn) {
  return {keep(name), op, then};
}

Operation lock(ObjectId description, uint8_t flags = 0) {
  return {.kind = OpKind::FileLock, .flags = flags, .object = kFile, .second = description};
}
Operation unlock(ObjectId description) {
  return {.kind = OpKind::FileUnlock, .object = kFile, .second = description};
}
Operation close(ObjectId description) {
  return {.kind = OpKind::DescriptionClose, .object = description};
}

Operation record(OpKind kind, int64_t begin, int64_t end, uint8_t flags = 0,
                 ObjectId description = kNoObject) {
  return {.kind = kind,
          .flags = static_cast<uint8_t>(flags | kRecord),
          .object = kFile,
          .second = description,
          .value = begin,
          .desired = end};
}

void set_up(World& world) {
  world.create_thread(kA, kNoThread, kA);
  world.create_object(kFile, ObjectKind::File, kNoProcess);
  Description& inherited =
      world.create_object(kInherited, ObjectKind::Description, kNoProcess).description;
  inherited.reads = inherited.writes = kFile;
  inherited.add_holder(kA);
  world.create_thread(kB, kA, kA);
  world.create_thread(kC, kA, kC);
  Description& own = world.create_object(kOwn, ObjectKind::Description, kNoProcess).description;
  own.reads = kFile;
  own.add_holder(kA);
}

void add_ends(Menu& menu) {
  menu.push_back(item("toss, leave", {.kind = OpKind::Toss}, Then::EndsProcess));
  menu.push_back(item("crash", {.kind = OpKind::Crash, .value = SIGSEGV}));
}

SmallWorldCase flocks(bool with_ends) {
  SmallWorldCase made;
  made.name = with_ends ? "flock, ends" : "flock";
  Menu& menu = made.menu;
  for (const ObjectId description : {kInherited, kOwn}) {
    const std::string name = description == kOwn ? " of its own" : "";
    const uint32_t who = description == kOwn ? kParents : ~0u;
    const size_t first = menu.size();
    menu.push_back(item("lock" + name, lock(description)));
    menu.push_back(item("share" + name, lock(description, kShared)));
    menu.push_back(item("try to lock" + name, lock(description, kTry)));
    if (!with_ends) menu.push_back(item("try to share" + name, lock(description, kTry | kShared)));
    menu.push_back(item("unlock" + name, unlock(description)));
    menu.push_back(item("close" + name, close(description)));
    for (size_t i = first; i < menu.size(); ++i) menu[i].who = who;
  }
  if (with_ends) add_ends(menu);
  made.set_up = set_up;
  return made;
}

SmallWorldCase records(bool with_ends) {
  SmallWorldCase made;
  made.name = with_ends ? "records, ends" : "records";
  Menu& menu = made.menu;
  menu.push_back(item("lock 0", record(OpKind::FileLock, 0, 1)));
  menu.push_back(item("lock 1", record(OpKind::FileLock, 1, 2)));
  menu.push_back(item("share both", record(OpKind::FileLock, 0, 2, kShared)));
  menu.push_back(item("unlock 0", record(OpKind::FileUnlock, 0, 1)));
  menu.push_back(item("close", {.kind = OpKind::FileForget, .object = kFile}));
  if (with_ends) {
    add_ends(menu);
  } else {
    menu.push_back(item("try to lock both", record(OpKind::FileLock, 0, 2, kTry)));
    menu.push_back(item("try to share 1", record(OpKind::FileLock, 1, 2, kTry | kShared)));
    menu.push_back(item("unlock both", record(OpKind::FileUnlock, 0, 2)));
    menu.push_back(item("look", record(OpKind::FileLook, 0, 1)));
    menu.push_back(item("look for sharing", record(OpKind::FileLook, 1, 2, kShared)));
  }
  made.set_up = set_up;
  return made;
}

// Those of descriptions beside those of processes.
SmallWorldCase records_of_descriptions() {
  SmallWorldCase made;
  made.name = "records of descriptions";
  Menu& menu = made.menu;
  menu.push_back(item("lock 0 of the process", record(OpKind::FileLock, 0, 1, 0, kInherited)));
  menu.push_back(
      item("unlock both of the process", record(OpKind::FileUnlock, 0, 2, 0, kInherited)));
  menu.push_back(item("lock both", record(OpKind::FileLock, 0, 2, kOfDescription, kInherited)));
  menu.push_back(
      item("share 1", record(OpKind::FileLock, 1, 2, kOfDescription | kShared, kInherited)));
  menu.push_back(item("unlock 1", record(OpKind::FileUnlock, 1, 2, kOfDescription, kInherited)));
  menu.push_back(item("share both by another",
                      record(OpKind::FileLock, 0, 2, kTry | kOfDescription | kShared, kOwn)));
  menu.back().who = kParents;
  menu.push_back(item("look", record(OpKind::FileLook, 0, 2, kOfDescription, kInherited)));
  menu.push_back(item("close", close(kInherited)));
  menu.push_back(item("close another", close(kOwn)));
  menu.back().who = kParents;
  made.set_up = set_up;
  return made;
}

// A signal may interrupt who waits.
SmallWorldCase interrupted() {
  SmallWorldCase made;
  made.name = "locks of files and signals";
  Menu& menu = made.menu;
  menu.push_back(item("lock", lock(kInherited)));
  menu.push_back(item("share of its own", lock(kOwn, kShared)));
  menu.back().who = kParents;
  menu.push_back(item("unlock", unlock(kInherited)));
  menu.push_back(item("lock record", record(OpKind::FileLock, 0, 1)));
  menu.push_back(item("unlock record", record(OpKind::FileUnlock, 0, 1)));
  menu.push_back(item("send", {.kind = OpKind::SignalSend, .target = kA, .value = SIGUSR1}));
  made.set_up = [](World& world) {
    set_up(world);
    apply(world, kA, {.kind = OpKind::SignalAction, .flags = kHandles, .value = SIGUSR1},
          kOnlyOutcome);
  };
  return made;
}

}  // namespace

std::vector<SmallWorldCase> small_world_file_locks() {
  return {flocks(false), flocks(true), records(false), records(true), records_of_descriptions(),
          interrupted()};
}

}  // namespace mazurka
