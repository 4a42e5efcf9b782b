// The worlds that accesses_test.cc visits: each kind of object with everything that can be done to
// it.
#include "testing/worlds/small_world.h"

namespace mazurka {
namespace {

using Menu = std::vector<MenuItem>;

constexpr ThreadId kA{0};
constexpr ThreadId kB{1};
constexpr ThreadId kC{2};
constexpr ThreadId kD{3};
constexpr ThreadId kCreatedByA{4};
constexpr ObjectId kFirst{0};
constexpr ObjectId kSecond{1};
constexpr ObjectId kThird{2};

void three_threads(World& world) {
  world.create_thread(kA, kNoThread, kA);
  world.create_thread(kB, kA, kA);
  world.create_thread(kC, kA, kA);
}

// Two threads in the first process, one in its child.
void two_processes(World& world) {
  world.create_thread(kA, kNoThread, kA);
  world.create_thread(kB, kA, kA);
  world.create_thread(kC, kA, kC);
}

void threads_of(World& world, bool processes) {
  if (processes) {
    two_processes(world);
  } else {
    three_threads(world);
  }
}

const char* of_processes(bool processes) { return processes ? ", two processes" : ""; }

Mutex& make_mutex(World& world, ObjectId id, MutexType type = MutexType::Normal,
                  bool robust = false) {
  Mutex& mutex = world.create_object(id, ObjectKind::Mutex, kNoProcess).mutex;
  mutex.type = type;
  mutex.robust = robust;
  return mutex;
}

MenuItem item(const std::string& name, const Operation& op, Then then = Then::GoesOn) {
  return {keep(name), op, then};
}

constexpr uint32_t bit(ThreadId thread) { return 1u << index(thread); }

void allow(Menu& menu, size_t from, uint32_t who) {
  for (size_t i = from; i < menu.size(); ++i) menu[i].who = who;
}

// The same operation as it is, as a try, and with a timeout.
void add_forms(Menu& menu, const std::string& name, Operation op) {
  menu.push_back(item(name, op));
  op.flags = kTry;
  menu.push_back(item("try " + name, op));
  op.flags = kTimed;
  op.deadline_ns = 50'000;
  menu.push_back(item("timed " + name, op));
}

void add_locks(Menu& menu, ObjectId mutex) {
  add_forms(menu, "lock", {.kind = OpKind::MutexLock, .object = mutex});
  menu.push_back(item("unlock", {.kind = OpKind::MutexUnlock, .object = mutex}));
}

void add_plain_lock(Menu& menu, ObjectId mutex) {
  menu.push_back(item("lock", {.kind = OpKind::MutexLock, .object = mutex}));
  menu.push_back(item("unlock", {.kind = OpKind::MutexUnlock, .object = mutex}));
}

void add_ends(Menu& menu) {
  menu.push_back(item("toss, leave", {.kind = OpKind::Toss}, Then::LeavesThread));
  menu.push_back(item("toss, exit", {.kind = OpKind::Toss}, Then::EndsProcess));
  menu.push_back(item("crash", {.kind = OpKind::Crash, .value = 11}));
}

const char* name_of(MutexType type) {
  switch (type) {
    case MutexType::Normal:
      return "normal";
    case MutexType::Recursive:
      return "recursive";
    case MutexType::ErrorCheck:
      return "error-checking";
    case MutexType::Spin:
      return "spin";
  }
  return "";
}

SmallWorldCase mutex_case(MutexType type, bool robust, bool processes) {
  SmallWorldCase made;
  made.name = std::string(name_of(type)) + (robust ? " robust mutex" : " mutex");
  if (!robust) made.name += of_processes(processes);
  made.set_up = [=](World& world) {
    threads_of(world, processes);
    make_mutex(world, kFirst, type, robust);
    make_mutex(world, kSecond);
  };
  add_locks(made.menu, kFirst);
  made.menu.push_back(item("mutex destroy", {.kind = OpKind::MutexDestroy, .object = kFirst}));
  made.menu.push_back(item("consistent", {.kind = OpKind::MutexConsistent, .object = kFirst}));
  if (processes) {
    add_ends(made.menu);
  } else {
    made.menu.push_back(item("other lock", {.kind = OpKind::MutexLock, .object = kSecond}));
  }
  return made;
}

SmallWorldCase condition_case(bool processes, MutexType type) {
  SmallWorldCase made;
  made.name = processes ? "condition of two processes" : "condition";
  if (type != MutexType::Normal) made.name += std::string(", ") + name_of(type) + " mutex";
  made.set_up = [=](World& world) {
    threads_of(world, processes);
    world.create_object(kFirst, ObjectKind::Condition, kNoProcess);
    make_mutex(world, kSecond, type);
  };
  const Operation wait{.kind = OpKind::CondWait, .object = kFirst, .second = kSecond};
  Operation timed = wait;
  timed.flags = kTimed;
  made.menu = {item("condition wait", wait), item("timed condition wait", timed),
               item("signal", {.kind = OpKind::CondSignal, .object = kFirst}),
               item("broadcast", {.kind = OpKind::CondBroadcast, .object = kFirst}),
               item("condition destroy", {.kind = OpKind::CondDestroy, .object = kFirst})};
  add_plain_lock(made.menu, kSecond);
  if (processes) add_ends(made.menu);
  return made;
}

SmallWorldCase two_mutexes_case() {
  SmallWorldCase made;
  made.name = "condition with two mutexes";
  made.set_up = [](World& world) {
    three_threads(world);
    world.create_object(kFirst, ObjectKind::Condition, kNoProcess);
    make_mutex(world, kSecond);
    make_mutex(world, kThird);
  };
  for (const ObjectId mutex : {kSecond, kThird}) {
    add_plain_lock(made.menu, mutex);
    Operation wait{.kind = OpKind::CondWait, .object = kFirst, .second = mutex};
    made.menu.push_back(item("condition wait", wait));
    wait.flags = kTimed;
    made.menu.push_back(item("timed condition wait", wait));
  }
  made.menu.push_back(item("signal", {.kind = OpKind::CondSignal, .object = kFirst}));
  return made;
}

SmallWorldCase rwlock_case(bool processes) {
  SmallWorldCase made;
  made.name = std::string("reader-writer lock") + of_processes(processes);
  made.set_up = [=](World& world) {
    threads_of(world, processes);
    world.create_object(kFirst, ObjectKind::RwLock, kNoProcess);
  };
  add_forms(made.menu, "read lock", {.kind = OpKind::ReadLock, .object = kFirst});
  add_forms(made.menu, "write lock", {.kind = OpKind::WriteLock, .object = kFirst});
  made.menu.push_back(item("read-write unlock", {.kind = OpKind::RwUnlock, .object = kFirst}));
  made.menu.push_back(item("read-write destroy", {.kind = OpKind::RwDestroy, .object = kFirst}));
  if (processes) add_ends(made.menu);
  return made;
}

SmallWorldCase barrier_case(uint32_t count, bool processes) {
  SmallWorldCase made;
  made.name = "barrier of " + std::to_string(count) + (processes ? ", two processes" : "");
  made.set_up = [=](World& world) {
    if (processes) {
      two_processes(world);
    } else {
      three_threads(world);
      world.create_thread(kD, kA, kA);
    }
    world.create_object(kFirst, ObjectKind::Barrier, kNoProcess).barrier.count = count;
  };
  made.menu = {item("barrier arrive", {.kind = OpKind::BarrierArrive, .object = kFirst}),
               item("barrier destroy", {.kind = OpKind::BarrierDestroy, .object = kFirst})};
  if (processes) add_ends(made.menu);
  return made;
}

SmallWorldCase semaphore_case(bool processes) {
  SmallWorldCase made;
  made.name = std::string("semaphore") + of_processes(processes);
  made.set_up = [=](World& world) {
    threads_of(world, processes);
    world.create_object(kFirst, ObjectKind::Semaphore, kNoProcess).semaphore.value = 1;
  };
  add_forms(made.menu, "semaphore wait", {.kind = OpKind::SemWait, .object = kFirst});
  made.menu.push_back(item("post", {.kind = OpKind::SemPost, .object = kFirst}));
  made.menu.push_back(item("semaphore value", {.kind = OpKind::SemGetValue, .object = kFirst}));
  made.menu.push_back(item("semaphore destroy", {.kind = OpKind::SemDestroy, .object = kFirst}));
  if (processes) add_ends(made.menu);
  return made;
}

SmallWorldCase full_semaphore_case() {
  SmallWorldCase made = semaphore_case(false);
  made.name = "full semaphore";
  made.set_up = [](World& world) {
    three_threads(world);
    constexpr int32_t kAlmostFull = kMaxSemValue - 1;
    world.create_object(kFirst, ObjectKind::Semaphore, kNoProcess).semaphore.value = kAlmostFull;
  };
  return made;
}

// --- System V semaphores. The parts are in the world from the start, and operations name them by
// place.

struct Parts {
  Menu& menu;
  std::vector<OpPart>& all;

  MenuItem& add(const std::string& name, OpKind kind, const std::vector<OpPart>& parts) {
    const auto begin = static_cast<uint32_t>(all.size());
    all.insert(all.end(), parts.begin(), parts.end());
    menu.push_back(item(name, {.kind = kind,
                               .object = kFirst,
                               .part_begin = begin,
                               .part_count = static_cast<uint32_t>(parts.size())}));
    return menu.back();
  }
};

SmallWorldCase sem_set_case(const std::string& name, bool undo, bool several) {
  SmallWorldCase made;
  made.name = name;
  std::vector<OpPart> all;
  Parts parts{made.menu, all};
  parts.add("semop take", OpKind::Semop, {semaphore_part(kSecond, -1)});
  parts.add("semop take, timed", OpKind::Semop, {semaphore_part(kSecond, -1)}).op.flags = kTimed;
  parts.add("semop give", OpKind::Semop, {semaphore_part(kSecond, 1)});
  parts.add("semop wait for zero", OpKind::Semop, {semaphore_part(kSecond, 0)});
  parts.add("semctl set", OpKind::SemctlSet, {semaphore_part(kSecond, 1)});
  if (undo) {
    parts.add("semop take, undo", OpKind::Semop, {semaphore_part(kSecond, -1, false, true)});
    parts.add("semop give, undo", OpKind::Semop, {semaphore_part(kSecond, 1, false, true)});
    add_ends(made.menu);
  }
  if (several) {
    parts.add("semop take both", OpKind::Semop,
              {semaphore_part(kSecond, -1), semaphore_part(kThird, -1)});
    parts.add("semop take both, no wait", OpKind::Semop,
              {semaphore_part(kSecond, -1, true), semaphore_part(kThird, -1)});
    parts.add("semop move", OpKind::Semop,
              {semaphore_part(kSecond, -1), semaphore_part(kThird, 1)});
    parts.add("semop give, then take", OpKind::Semop,
              {semaphore_part(kThird, 1), semaphore_part(kSecond, -1, true)});
    parts.add("semop lock", OpKind::Semop,
              {semaphore_part(kSecond, 0), semaphore_part(kSecond, 1)});
    parts.add("semop give both", OpKind::Semop,
              {semaphore_part(kSecond, 1), semaphore_part(kThird, 1)});
    parts.add("semop give the other", OpKind::Semop, {semaphore_part(kThird, 1)});
    parts.add("semctl get", OpKind::SemctlGet,
              {semaphore_part(kSecond, 0), semaphore_part(kThird, 0)});
  }
  made.menu.push_back(item("semctl remove", {.kind = OpKind::SemctlRemove, .object = kFirst}));
  made.set_up = [=](World& world) {
    threads_of(world, undo);
    world.create_object(kFirst, ObjectKind::SemSet, kNoProcess).sem_set.count = 2;
    world.create_object(kSecond, ObjectKind::Semaphore, kNoProcess).semaphore.value = 1;
    world.create_object(kThird, ObjectKind::Semaphore, kNoProcess).semaphore.value = 0;
    for (const OpPart& part : all) world.parts[world.part_count++] = part;
  };
  return made;
}

// --- the rest

SmallWorldCase generator_case() {
  SmallWorldCase made;
  made.name = "random numbers";
  made.set_up = [](World& world) {
    threads_of(world, false);
    world.create_object(kFirst, ObjectKind::Generator, kNoProcess);
  };
  made.menu = {item("draw", {.kind = OpKind::GeneratorDraw, .object = kFirst}),
               item("seed", {.kind = OpKind::GeneratorSeed, .object = kFirst, .value = 3})};
  return made;
}

SmallWorldCase named_case(bool processes) {
  SmallWorldCase made;
  made.name = std::string("name") + of_processes(processes);
  made.set_up = [=](World& world) {
    threads_of(world, processes);
    world.create_object(kFirst, ObjectKind::Named, kNoProcess);
    world.create_object(kSecond, ObjectKind::SemSet, kNoProcess);
  };
  const auto open = [](int64_t how) {
    return Operation{.kind = OpKind::NameOpen, .object = kFirst, .value = how};
  };
  made.menu = {
      item("open name", open(0)), item("make name", open(kCreate)),
      item("make new name", open(kCreate | kExclusive)),
      item("unlink name", {.kind = OpKind::NameUnlink, .object = kFirst}),
      item("semctl remove", {.kind = OpKind::SemctlRemove, .object = kSecond, .second = kFirst})};
  return made;
}

SmallWorldCase once_case(bool processes) {
  SmallWorldCase made;
  made.name = std::string("once") + of_processes(processes);
  made.set_up = [=](World& world) {
    threads_of(world, processes);
    world.create_object(kFirst, ObjectKind::Once, kNoProcess);
  };
  made.menu = {item("once", {.kind = OpKind::OnceBegin, .object = kFirst, .value = 1}),
               item("once, abandoned", {.kind = OpKind::OnceBegin, .object = kFirst, .value = 0})};
  return made;
}

SmallWorldCase futex_case(bool processes) {
  SmallWorldCase made;
  made.name = processes ? "futex of two processes" : "futex";
  made.set_up = [=](World& world) {
    if (processes) {
      two_processes(world);
    } else {
      three_threads(world);
      world.create_thread(kD, kA, kA);
    }
    world.create_object(kFirst, ObjectKind::Futex, kNoProcess);
  };
  const auto wake = [](int64_t n) {
    return Operation{.kind = OpKind::FutexWake, .object = kFirst, .value = n};
  };
  made.menu = {
      item("futex wait", {.kind = OpKind::FutexWait, .object = kFirst}),
      item("timed futex wait", {.kind = OpKind::FutexWait, .flags = kTimed, .object = kFirst}),
      item("futex wake one", wake(1)), item("futex wake two", wake(2)),
      item("futex wake all", wake(1000))};
  if (processes) add_ends(made.menu);
  return made;
}

SmallWorldCase variable_case(bool processes) {
  SmallWorldCase made;
  made.name = std::string("variable") + of_processes(processes);
  made.set_up = [=](World& world) {
    threads_of(world, processes);
    world.create_object(kFirst, ObjectKind::Variable, kNoProcess);
  };
  const auto on = [](OpKind kind, int64_t value, int64_t desired = 0) {
    return Operation{.kind = kind, .object = kFirst, .value = value, .desired = desired};
  };
  Operation add = on(OpKind::VarUpdate, 1);
  add.update = Update::Add;
  made.menu = {item("load", on(OpKind::VarLoad, 0)),
               item("store 0", on(OpKind::VarStore, 0)),
               item("store 1", on(OpKind::VarStore, 1)),
               item("exchange", on(OpKind::VarUpdate, 2)),
               item("fetch-add", add),
               item("compare-exchange 0", on(OpKind::VarCompareExchange, 0, 1)),
               item("compare-exchange 1", on(OpKind::VarCompareExchange, 1, 2)),
               item("compare-exchange that changes nothing", on(OpKind::VarCompareExchange, 1, 1))};
  return made;
}

// Loops that have come round without effect, before anybody has changed what they look at.
SmallWorldCase spinning_case() {
  SmallWorldCase made;
  made.name = "variable, waiting loops";
  made.set_up = [](World& world) {
    three_threads(world);
    world.create_object(kFirst, ObjectKind::Variable, kNoProcess);
    world.create_object(kSecond, ObjectKind::Variable, kNoProcess);
    world.parts[world.part_count++] = looked_at(kFirst, 0);
  };
  const auto spin = [&](const char* name, OpKind kind, ObjectId object) {
    made.menu.push_back(item(name, {.kind = kind,
                                    .flags = kSpinning,
                                    .object = object,
                                    .part_begin = 0,
                                    .part_count = 1,
                                    .value = 1}));
  };
  spin("wait, load", OpKind::VarLoad, kFirst);
  spin("wait, load another", OpKind::VarLoad, kSecond);
  spin("wait, store", OpKind::VarStore, kFirst);
  spin("wait, update", OpKind::VarUpdate, kFirst);
  spin("wait, compare-exchange", OpKind::VarCompareExchange, kFirst);
  made.menu.push_back(item("store 1", {.kind = OpKind::VarStore, .object = kFirst, .value = 1}));
  made.menu.push_back(
      item("store 1 to another", {.kind = OpKind::VarStore, .object = kSecond, .value = 1}));
  return made;
}

// Threads that leave and are waited for: two in the first process, two children.
SmallWorldCase process_case(const std::string& name, bool forks) {
  SmallWorldCase made;
  made.name = name;
  made.set_up = [=](World& world) {
    two_processes(world);
    if (!forks) world.create_thread(kD, kA, kD);
  };
  for (const ThreadId child : {kNoThread, kC}) {
    const std::string whom = child == kNoThread ? "wait for any child" : "wait for child";
    made.menu.push_back(item(whom, {.kind = OpKind::WaitChild, .target = child}));
    made.menu.push_back(
        item(whom + ", or not", {.kind = OpKind::WaitChild, .flags = kTry, .target = child}));
  }
  if (forks) {
    made.menu.push_back(item("toss, fork", {.kind = OpKind::Toss}, Then::Forks));
    made.menu.push_back(item("exec", {.kind = OpKind::Exec}));
  }
  allow(made.menu, 0, bit(kA) | bit(kB));
  made.menu.push_back(item("assertion", {.kind = OpKind::Assertion}));
  add_ends(made.menu);
  return made;
}

// Three threads that go and are joined. The first one may create another.
SmallWorldCase thread_case() {
  SmallWorldCase made;
  made.name = "threads";
  made.set_up = three_threads;
  for (const ThreadId target : {kB, kCreatedByA}) {
    add_forms(made.menu, "join", {.kind = OpKind::Join, .target = target});
  }
  allow(made.menu, 0, bit(kA) | bit(kC));
  made.menu.push_back(item("toss, create", {.kind = OpKind::Toss, .value = 1}, Then::Spawns));
  made.menu.back().who = bit(kA);
  made.menu.push_back(item("misuse", {.kind = OpKind::Misuse}));
  add_ends(made.menu);
  return made;
}

SmallWorldCase event_case() {
  SmallWorldCase made;
  made.name = "events";
  made.set_up = [](World& world) {
    two_processes(world);
    world.create_object(kFirst, ObjectKind::Event, kNoProcess);
    world.create_object(kSecond, ObjectKind::Event, kNoProcess);
  };
  made.menu = {item("event", {.kind = OpKind::Event, .object = kFirst}),
               item("other event", {.kind = OpKind::Event, .object = kSecond}),
               item("toss", {.kind = OpKind::Toss})};
  add_ends(made.menu);
  return made;
}

SmallWorldCase yield_case() {
  SmallWorldCase made;
  made.name = "pauses";
  made.set_up = three_threads;
  made.menu = {item("wait for others", {.kind = OpKind::WaitForOthers}),
               item("pause", {.kind = OpKind::Pause}), item("toss", {.kind = OpKind::Toss})};
  add_ends(made.menu);
  return made;
}

}  // namespace

std::vector<SmallWorldCase> small_world_cases() {
  return {mutex_case(MutexType::Normal, false, false),
          mutex_case(MutexType::Recursive, false, false),
          mutex_case(MutexType::ErrorCheck, false, false),
          mutex_case(MutexType::Spin, false, false),
          mutex_case(MutexType::Normal, false, true),
          mutex_case(MutexType::ErrorCheck, false, true),
          mutex_case(MutexType::Normal, true, true),
          mutex_case(MutexType::Recursive, true, true),
          condition_case(false, MutexType::Normal),
          condition_case(false, MutexType::Recursive),
          condition_case(true, MutexType::ErrorCheck),
          two_mutexes_case(),
          rwlock_case(false),
          rwlock_case(true),
          barrier_case(1, false),
          barrier_case(2, false),
          barrier_case(3, false),
          barrier_case(2, true),
          semaphore_case(false),
          semaphore_case(true),
          full_semaphore_case(),
          sem_set_case("semaphore set", false, false),
          sem_set_case("semaphore set, several at once", false, true),
          sem_set_case("semaphore set, undo", true, false),
          generator_case(),
          named_case(false),
          named_case(true),
          once_case(false),
          once_case(true),
          futex_case(false),
          futex_case(true),
          variable_case(false),
          variable_case(true),
          spinning_case(),
          thread_case(),
          yield_case(),
          event_case(),
          process_case("processes", false),
          process_case("processes that fork", true)};
}

}  // namespace mazurka
