#include "objects/dependency_table.h"

#include <poll.h>
#include <signal.h>

#include <memory>
#include <vector>

#include "base/check.h"
#include "objects/accesses.h"
#include "objects/world.h"

namespace mazurka {
namespace {

constexpr ThreadId kA{0};
constexpr ThreadId kB{1};
constexpr ThreadId kChild{2};  // a process
constexpr ObjectId kX{0};
constexpr ObjectId kY{1};

struct Row {
  std::string operation;
  ThreadId thread;
  std::vector<Access> accesses;
};

// A world in which one object is looked at. Threads a and b are of one process, which has a child.
class Stage {
 public:
  explicit Stage(std::string object, std::string second = "")
      : object_(std::move(object)), second_(std::move(second)) {
    world_.clear();
    world_.create_thread(kA, kNoThread, kA);
    world_.create_thread(kB, kA, kA);
    world_.create_thread(kChild, kA, kChild);
    for (uint32_t i = 0; i < world_.thread_limit; ++i) {
      world_.threads[i].status = ThreadStatus::AtOperation;
    }
  }

  World& world() { return world_; }
  Object& make(ObjectId id, ObjectKind kind) { return world_.create_object(id, kind, kNoProcess); }

  Outcome outcome_of(ThreadId thread, const Operation& op) const {
    Outcome first = kOnlyOutcome;
    const bool none = each_outcome(world_, enabled(world_, thread, op), [&](Outcome outcome) {
      first = outcome;
      return false;
    });
    MAZURKA_CHECK(!none);
    return first;
  }

  void row(const std::string& operation, ThreadId thread, const Operation& op) {
    Access items[64];
    AccessList list{items, 64};
    accesses(world_, thread, op, outcome_of(thread, op), list);
    rows_.push_back({operation, thread, {items, items + list.count}});
  }

  Effect act(ThreadId thread, const Operation& op) {
    const Effect effect = apply(world_, thread, op, outcome_of(thread, op));
    if (world_.thread(thread).status == ThreadStatus::Running) {
      world_.thread(thread).status = ThreadStatus::AtOperation;
    }
    return effect;
  }

  std::string finish() const;

 private:
  std::string words(const Row& row) const;
  std::string name(const Row& row, Resource resource) const;
  std::string partners(const Row& row) const;

  static World& shared() {
    static const std::unique_ptr<World> world = std::make_unique<World>();
    return *world;
  }

  World& world_ = shared();
  std::string object_;
  std::string second_;
  std::vector<Row> rows_;
};

// What every operation does is told once, in the text.
bool is_told(const Row& row, const Access& access) {
  switch (access.resource.kind) {
    case Resource::Kind::Moves:
      return access.mode == Mode::Add;
    case Resource::Kind::Thread:
      return access.resource == thread_resource(row.thread);
    case Resource::Kind::Process:
      return access.resource.part == kLife && access.mode == Mode::Read;
    default:
      return false;
  }
}

const char* name_of_file_part(uint8_t part) {
  switch (part) {
    case kWhole:
      return "who has locked the file";
    case kReaders:
      return "who shares the file";
    case kRecords:
      return "who has locked records";
    case kRecordSharers:
      return "who shares records";
    default:
      return "its process's records";
  }
}

std::string Stage::name(const Row& row, Resource resource) const {
  switch (resource.kind) {
    case Resource::Kind::Moves:
      return "that somebody moved";
    case Resource::Kind::Thread:
      return "the life of the other";
    case Resource::Kind::Wake:
      return resource == wake_resource(row.thread) ? "its own wake-up" : "the waiter's wake-up";
    case Resource::Kind::Process:
      if (resource.part == kChildren) return "its process's children";
      if (resource.part == kReaped) return "that the child was waited for";
      if (resource.part == kNumbers) return "its process's descriptors";
      if (resource.index != index(world_.thread(row.thread).process)) return "the other process";
      return resource.part == kExits ? "who has left its process" : "its process";
    case Resource::Kind::Events:
      return "the order of events";
    case Resource::Kind::Memory:
      return "a piece of memory";
    case Resource::Kind::Object:
      break;
  }
  const std::string& object = ObjectId(resource.index) == kX ? object_ : second_;
  const ObjectKind kind = world_.object(ObjectId(resource.index)).kind;
  if (kind == ObjectKind::File) return name_of_file_part(resource.part);
  const bool is_channel = kind == ObjectKind::Channel;
  if (is_channel && resource.part == kReadEnds) return "who can read " + object;
  if (is_channel && resource.part == kWriteEnds) return "who can write " + object;
  const bool is_description = kind == ObjectKind::Description;
  if (is_description && resource.part == kOwnLocks) return "what its description has locked";
  if (is_description && world_.object(ObjectId(resource.index)).description.is_named())
    return resource.part >= kHolds ? "whether its process holds the socket" : "the state of the socket";
  if (is_description) return resource.part >= kHolds ? "whether its process holds the end" : "whether the end blocks";
  return (resource.part == kReaders ? "its readers" : "the " + object);
}

std::string Stage::words(const Row& row) const {
  std::string text;
  for (const Access& access : row.accesses) {
    if (is_told(row, access)) continue;
    const char* verb = access.mode == Mode::Read ? "reads " : "writes ";
    if (access.mode == Mode::Add) verb = "adds to ";
    text += (text.empty() ? "" : ", ") + (verb + name(row, access.resource));
  }
  return text.empty() ? "nothing" : text;
}

std::string Stage::partners(const Row& row) const {
  std::string text;
  for (const Row& other : rows_) {
    const bool depends =
        conflict(row.accesses.data(), static_cast<uint32_t>(row.accesses.size()),
                 other.accesses.data(), static_cast<uint32_t>(other.accesses.size()));
    if (!depends) text += (text.empty() ? "" : "; ") + other.operation;
  }
  return text.empty() ? "nothing" : text;
}

std::string Stage::finish() const {
  std::string text = "| " + object_ + " | accesses | commutes with |\n|---|---|---|\n";
  for (const Row& row : rows_) {
    text += "| " + row.operation + " | " + words(row) + " | " + partners(row) + " |\n";
  }
  return text;
}

Operation on(OpKind kind, uint8_t flags = 0) {
  return {.kind = kind, .flags = flags, .object = kX};
}

// --- one function per object

std::string mutex_table() {
  Stage stage("mutex");
  stage.make(kX, ObjectKind::Mutex).mutex.type = MutexType::ErrorCheck;
  stage.row("lock, try or timed lock that gets it", kA, on(OpKind::MutexLock));
  stage.row("unlock that is refused", kA, on(OpKind::MutexUnlock));
  stage.row("destroy", kA, on(OpKind::MutexDestroy));
  stage.row("make consistent", kA, on(OpKind::MutexConsistent));
  stage.act(kB, on(OpKind::MutexLock));
  stage.row("try or timed lock that fails", kA, on(OpKind::MutexLock, kTry));
  stage.row("unlock", kB, on(OpKind::MutexUnlock));
  return stage.finish();
}

std::string condition_table() {
  Stage stage("condition", "mutex");
  stage.make(kX, ObjectKind::Condition);
  stage.make(kY, ObjectKind::Mutex);
  const Operation lock{.kind = OpKind::MutexLock, .object = kY};
  const Operation wait{.kind = OpKind::CondWait, .object = kX, .second = kY};
  stage.row("signal that wakes nobody", kA, on(OpKind::CondSignal));
  stage.row("broadcast that wakes nobody", kA, on(OpKind::CondBroadcast));
  stage.row("destroy", kA, on(OpKind::CondDestroy));
  stage.act(kB, lock);
  stage.row("wait begins", kB, wait);
  stage.act(kB, wait);
  stage.row("signal that wakes the waiter", kA, on(OpKind::CondSignal));
  stage.row("broadcast that wakes the waiter", kA, on(OpKind::CondBroadcast));
  Operation wake = wait;
  wake.kind = OpKind::CondWake;
  stage.row("timed waiter goes on", kB, wake);
  stage.act(kA, on(OpKind::CondSignal));
  Operation reacquire = wait;
  reacquire.kind = OpKind::CondReacquire;
  stage.row("waiter goes on and takes the mutex", kB, reacquire);
  stage.row("lock of the mutex", kA, lock);
  return stage.finish();
}

std::string rwlock_table() {
  Stage stage("lock");
  stage.make(kX, ObjectKind::RwLock);
  stage.row("read lock that gets it", kA, on(OpKind::ReadLock));
  stage.row("write lock that gets it", kA, on(OpKind::WriteLock));
  stage.row("destroy", kA, on(OpKind::RwDestroy));
  stage.act(kB, on(OpKind::ReadLock));
  stage.row("unlock of a reader", kB, on(OpKind::RwUnlock));
  stage.row("write lock that fails", kA, on(OpKind::WriteLock, kTry));
  stage.act(kB, on(OpKind::RwUnlock));
  stage.act(kB, on(OpKind::WriteLock));
  stage.row("unlock of a writer", kB, on(OpKind::RwUnlock));
  stage.row("read lock that fails", kA, on(OpKind::ReadLock, kTry));
  return stage.finish();
}

std::string barrier_table() {
  Stage stage("barrier");
  stage.make(kX, ObjectKind::Barrier).barrier.count = 2;
  stage.row("arrive, not the last", kB, on(OpKind::BarrierArrive));
  stage.row("destroy", kA, on(OpKind::BarrierDestroy));
  stage.act(kB, on(OpKind::BarrierArrive));
  stage.row("arrive, the last of its round", kA, on(OpKind::BarrierArrive));
  stage.act(kA, on(OpKind::BarrierArrive));
  stage.row("leave", kB, on(OpKind::BarrierLeave));
  return stage.finish();
}

std::string semaphore_table() {
  Stage stage("semaphore");
  Semaphore& semaphore = stage.make(kX, ObjectKind::Semaphore).semaphore;
  stage.row("try or timed wait that fails", kA, on(OpKind::SemWait, kTry));
  semaphore.value = 1;
  stage.row("wait, try or timed wait that gets it", kA, on(OpKind::SemWait));
  stage.row("post", kA, on(OpKind::SemPost));
  stage.row("get value", kA, on(OpKind::SemGetValue));
  stage.row("destroy", kA, on(OpKind::SemDestroy));
  return stage.finish();
}

std::string sem_set_table() {
  Stage stage("set", "semaphore");
  stage.make(kX, ObjectKind::SemSet);
  stage.make(kY, ObjectKind::Semaphore);
  World& world = stage.world();
  const auto with = [&](OpKind kind, int32_t delta, bool undo) {
    Operation op = on(kind);
    op.part_begin = world.part_count;
    op.part_count = 1;
    world.parts[world.part_count++] = {kY, delta, true, undo, 0};
    return op;
  };
  stage.row("semop that waits for zero", kA, with(OpKind::Semop, 0, false));
  stage.row("semop that fails or times out", kA, with(OpKind::Semop, -1, false));
  stage.row("semop that only adds", kA, with(OpKind::Semop, 1, false));
  world.object(kY).semaphore.value = 1;
  stage.row("semop that takes", kA, with(OpKind::Semop, -1, false));
  stage.row("semop that takes, with SEM_UNDO", kA, with(OpKind::Semop, -1, true));
  stage.row("SETVAL", kA, with(OpKind::SemctlSet, 1, false));
  stage.row("GETVAL", kA, with(OpKind::SemctlGet, 0, false));
  stage.row("IPC_RMID", kA, on(OpKind::SemctlRemove));
  return stage.finish();
}

std::string name_table() {
  Stage stage("name");
  Named& name = stage.make(kX, ObjectKind::Named).named;
  Operation make = on(OpKind::NameOpen);
  make.value = kCreate;
  stage.row("open that makes it", kA, make);
  stage.row("open or unlink that fails", kA, on(OpKind::NameUnlink));
  name.exists = true;
  stage.row("open that finds it", kA, make);
  stage.row("unlink", kA, on(OpKind::NameUnlink));
  return stage.finish();
}

std::string once_table() {
  Stage stage("once");
  Once& once = stage.make(kX, ObjectKind::Once).once;
  stage.row("begin, the one who runs it", kA, on(OpKind::OnceBegin));
  stage.row("end", kA, on(OpKind::OnceEnd));
  once.state = Once::State::Done;
  stage.row("begin, done already", kA, on(OpKind::OnceBegin));
  return stage.finish();
}

std::string variable_table() {
  Stage stage("variable");
  stage.make(kX, ObjectKind::Variable);
  Operation fails = on(OpKind::VarCompareExchange);
  fails.value = 1;
  stage.row("load", kA, on(OpKind::VarLoad));
  stage.row("compare-exchange that fails", kA, fails);
  stage.row("store", kA, on(OpKind::VarStore));
  stage.row("update (exchange, fetch-add, ...)", kA, on(OpKind::VarUpdate));
  stage.row("compare-exchange that writes", kA, on(OpKind::VarCompareExchange));
  return stage.finish();
}

std::string futex_table() {
  Stage stage("futex");
  stage.make(kX, ObjectKind::Futex);
  Operation wake = on(OpKind::FutexWake);
  wake.value = 1;
  stage.row("wait begins", kB, on(OpKind::FutexWait));
  stage.row("wake that wakes nobody", kA, wake);
  stage.act(kB, on(OpKind::FutexWait));
  stage.row("wake that wakes the waiter", kA, wake);
  stage.row("timed waiter goes on", kB, on(OpKind::FutexBlocked, kTimed));
  stage.act(kA, wake);
  stage.row("waiter goes on", kB, on(OpKind::FutexBlocked));
  return stage.finish();
}

std::string event_table() {
  Stage stage("event");
  stage.make(kX, ObjectKind::Event);
  stage.row("event", kA, on(OpKind::Event));
  stage.row("event, of the child", kChild, on(OpKind::Event));
  stage.row("toss", kB, {.kind = OpKind::Toss});
  return stage.finish();
}

// Thread a is the reader, the child the writer; both hold both ends.
std::string channel_table() {
  constexpr ObjectId kReadEnd{2};
  constexpr ObjectId kWriteEnd{3};
  Stage stage("pipe", "pipe");
  Channel& pipe = stage.make(kX, ObjectKind::Channel).channel;
  pipe.readers = pipe.writers = 1;
  pipe.slots = 1;
  Description& reads = stage.make(kReadEnd, ObjectKind::Description).description;
  Description& writes = stage.make(kWriteEnd, ObjectKind::Description).description;
  reads.reads = writes.writes = kX;
  for (const ThreadId process : {kA, kChild}) {
    reads.add_holder(process);
    writes.add_holder(process);
  }
  Operation read{.kind = OpKind::ChannelRead, .flags = kTry, .object = kX, .second = kReadEnd, .value = 1};
  Operation write{.kind = OpKind::ChannelWrite, .flags = kTry, .object = kX, .second = kWriteEnd, .value = 4096};
  const Operation close_read{.kind = OpKind::DescriptionClose, .object = kReadEnd};
  const Operation close_write{.kind = OpKind::DescriptionClose, .object = kWriteEnd};
  Operation poll{.kind = OpKind::Poll, .flags = kTry, .part_begin = stage.world().part_count, .part_count = 1};
  stage.world().parts[stage.world().part_count++] = {kReadEnd, POLLIN};
  stage.row("write", kChild, write);
  stage.row("read of an empty one (EAGAIN, or its end)", kA, read);
  stage.row("poll for input", kA, poll);
  stage.row("close of a read end", kA, close_read);
  stage.row("close of a write end", kChild, close_write);
  stage.act(kChild, write);
  stage.row("read that finds something", kA, read);
  stage.row("write to a full one (EAGAIN)", kChild, write);
  pipe.readers = 0;
  stage.row("write that nobody will read (EPIPE)", kChild, write);
  return stage.finish();
}

// As System V has it; of a POSIX queue, each operation also reads whether its process holds the descriptor, and whether that blocks.
std::string queue_table() {
  Stage stage("queue");
  Queue& queue = stage.make(kX, ObjectKind::Queue).queue;
  queue.form = Queue::Form::SystemV;
  queue.most = 1;
  Operation send = on(OpKind::QueueSend, kTry);
  send.value = send.desired = 1;
  Operation receive = on(OpKind::QueueReceive, kTry);
  receive.value = 1;
  stage.row("send", kChild, send);
  stage.row("receive that fails or times out", kA, receive);
  stage.row("IPC_STAT", kB, on(OpKind::QueueGet));
  stage.act(kChild, send);
  stage.row("receive", kA, receive);
  stage.row("send that fails or times out", kChild, send);
  stage.row("IPC_SET", kA, on(OpKind::QueueSet));
  stage.row("IPC_RMID", kA, on(OpKind::QueueRemove));
  return stage.finish();
}

std::string timer_table() {
  constexpr ObjectId kEnd{2};
  Stage stage("timer");
  stage.make(kX, ObjectKind::Timer);
  Description& end = stage.make(kEnd, ObjectKind::Description).description;
  end.reads = kX;
  for (const ThreadId process : {kA, kChild}) end.add_holder(process);
  const auto with = [](OpKind kind, int64_t value) {
    return Operation{.kind = kind, .flags = kTry, .object = kX, .second = kEnd, .value = value};
  };
  Operation poll{.kind = OpKind::Poll, .flags = kTry | kMayExpire, .part_begin = stage.world().part_count, .part_count = 1};
  stage.world().parts[stage.world().part_count++] = {kEnd, POLLIN};
  stage.row("timerfd_settime", kA, with(OpKind::TimerSet, 1));
  stage.row("timerfd_gettime", kA, with(OpKind::TimerGet, 0));
  stage.row("read of one that is not set (EAGAIN)", kA, with(OpKind::TimerRead, 0));
  stage.row("poll", kChild, poll);
  stage.act(kA, with(OpKind::TimerSet, 1));
  stage.row("read of one that is set, also if it has not expired yet (EAGAIN)", kA, with(OpKind::TimerRead, 0));
  return stage.finish();
}

// Thread a has one description, the child another one.
std::string file_lock_table() {
  constexpr ObjectId kOfA{2};
  constexpr ObjectId kOfChild{3};
  Stage stage("file");
  stage.make(kX, ObjectKind::File);
  for (const ObjectId id : {kOfA, kOfChild}) {
    Description& description = stage.make(id, ObjectKind::Description).description;
    description.reads = kX;
    description.add_holder(id == kOfA ? kA : kChild);
  }
  const auto by = [](ThreadId thread, OpKind kind, uint8_t flags = 0) {
    return Operation{.kind = kind, .flags = flags, .object = kX, .second = thread == kA ? kOfA : kOfChild, .desired = 1};
  };
  stage.row("flock", kA, by(kA, OpKind::FileLock));
  stage.row("flock to share", kA, by(kA, OpKind::FileLock, kShared));
  stage.row("record lock", kA, by(kA, OpKind::FileLock, kRecord));
  stage.row("record lock to share", kA, by(kA, OpKind::FileLock, kRecord | kShared));
  stage.act(kA, by(kA, OpKind::FileLock, kShared));
  stage.act(kA, by(kA, OpKind::FileLock, kRecord));
  stage.row("flock that fails", kChild, by(kChild, OpKind::FileLock, kTry));
  stage.row("record lock that fails", kChild, by(kChild, OpKind::FileLock, kTry | kRecord));
  stage.row("F_GETLK", kChild, by(kChild, OpKind::FileLook, kRecord));
  stage.row("unlock of what is shared", kA, by(kA, OpKind::FileUnlock));
  stage.row("unlock of a record", kA, by(kA, OpKind::FileUnlock, kRecord));
  stage.row("close, with both", kA, {.kind = OpKind::DescriptionClose, .object = kOfA});
  return stage.finish();
}

// Thread a has the socket that listens, the child those that connect and send; all hold all.
std::string socket_table() {
  constexpr ObjectId kQueue{2};
  constexpr ObjectId kServer{3};
  constexpr ObjectId kOut{4};
  constexpr ObjectId kIn{5};
  constexpr ObjectId kClient{6};
  constexpr ObjectId kAccepted{7};
  Stage stage("address", "queue");
  stage.make(kX, ObjectKind::Address);
  for (const ObjectId id : {kQueue, kOut, kIn}) stage.make(id, ObjectKind::Channel).channel.is_socket = true;
  for (const ObjectId id : {kServer, kClient, kAccepted}) {
    Description& socket = stage.make(id, ObjectKind::Description).description;
    socket.stage = SocketStage::Fresh;
    socket.reads = id == kServer ? kQueue : kIn;
    socket.writes = kOut;
    for (const ThreadId process : {kA, kChild}) socket.add_holder(process);
  }
  const Operation bind{.kind = OpKind::SocketBind, .object = kX, .second = kServer, .desired = kIsFile};
  const Operation listen{.kind = OpKind::SocketListen, .object = kServer, .value = 4};
  const Operation connect{.kind = OpKind::SocketConnect, .object = kX, .second = kClient};
  const Operation accept{.kind = OpKind::SocketAccept, .object = kQueue, .second = kServer, .value = index(kAccepted)};
  stage.row("connect that nobody listens to (ECONNREFUSED)", kChild, connect);
  stage.row("bind", kA, bind);
  stage.act(kA, bind);
  stage.row("listen", kA, listen);
  stage.act(kA, listen);
  stage.row("connect", kChild, connect);
  stage.row("close of a socket that listens", kChild, {.kind = OpKind::DescriptionClose, .object = kServer});
  stage.row("unlink", kB, {.kind = OpKind::AddressUnlink, .object = kX});
  stage.act(kChild, connect);
  stage.row("accept", kA, accept);
  return stage.finish();
}

// The child's threads and the other thread of the process are "the other".
std::string process_table() {
  Stage stage("thread or process");
  stage.row("toss, also as the last operation", kB, {.kind = OpKind::Toss});
  stage.row("join that fails or times out", kA,
            {.kind = OpKind::Join, .flags = kTry, .target = kB});
  stage.row("wait that finds no child ended", kA, {.kind = OpKind::WaitChild, .flags = kTry});
  stage.row("toss, of the child", kChild, {.kind = OpKind::Toss});
  stage.row("end of the child", kChild, {.kind = OpKind::ProcessEnd});
  stage.row("noticed exit of a thread", kB, {.kind = OpKind::ThreadExit});
  stage.row("fork", kA, {.kind = OpKind::Fork});
  stage.row("exec", kA, {.kind = OpKind::Exec});
  stage.row("end of the process", kA, {.kind = OpKind::ProcessEnd});
  stage.world().moves = 1;
  stage.row("yield", kA, {.kind = OpKind::Yield});
  stand_at_exit(stage.world(), kB, 0);
  stage.row("join", kA, {.kind = OpKind::Join, .target = kB});
  stand_at_exit(stage.world(), kChild, 0);
  stage.row("wait for this child", kA, {.kind = OpKind::WaitChild, .target = kChild});
  stage.row("wait for any child", kA, {.kind = OpKind::WaitChild});
  return stage.finish();
}

std::string signal_table_of_accesses() {
  Stage stage("signal");
  const Operation to_process{.kind = OpKind::SignalSend, .target = kA, .value = SIGUSR1};
  const Operation to_thread{.kind = OpKind::SignalSend, .flags = kToThread, .target = kB, .value = SIGUSR1};
  const Operation toss{.kind = OpKind::Toss};
  stage.row("toss, and nothing to take", kB, toss);
  stage.row("send to the process", kChild, to_process);
  stage.row("send to the other thread", kA, to_thread);
  stage.row("set an action", kA, {.kind = OpKind::SignalAction, .flags = kHandles, .value = SIGUSR1});
  stage.row("set a mask", kA, {.kind = OpKind::SignalMask, .value = 1});
  stage.row("look at what is pending", kA, {.kind = OpKind::SignalLook});
  stage.row("wait for a signal", kA, {.kind = OpKind::SignalWait, .flags = kTry, .value = 1});
  stage.act(kA, {.kind = OpKind::SignalAction, .flags = kHandles, .value = SIGUSR1});
  stage.act(kA, to_thread);
  stage.row("toss, and one of its own to take", kB, toss);
  stage.act(kChild, to_process);
  stage.row("toss, and one of the process to take", kA, toss);
  return stage.finish();
}

// --- in the present state

class Conditions {
 public:
  void row(Stage& stage, const std::string& state, const std::string& a_name, const Operation& a,
           const std::string& b_name, const Operation& b) {
    const bool commute = commute_here(stage.world(), kA, a, stage.outcome_of(kA, a), kChild, b,
                                      stage.outcome_of(kChild, b));
    text_ +=
        "| " + state + " | " + a_name + " | " + b_name + " | " + (commute ? "yes" : "no") + " |\n";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_ = "| state | one | the other | commute here |\n|---|---|---|---|\n";
};

void semaphore_conditions(Conditions& conditions) {
  Stage stage("semaphore");
  Semaphore& semaphore = stage.make(kX, ObjectKind::Semaphore).semaphore;
  const Operation wait = on(OpKind::SemWait);
  const Operation try_wait = on(OpKind::SemWait, kTry);
  const Operation post = on(OpKind::SemPost);
  conditions.row(stage, "semaphore of value 0", "try wait", try_wait, "post", post);
  semaphore.value = 1;
  conditions.row(stage, "semaphore of value 1", "wait", wait, "wait", wait);
  conditions.row(stage, "semaphore of value 1", "wait", wait, "post", post);
  semaphore.value = 2;
  conditions.row(stage, "semaphore of value 2", "wait", wait, "wait", wait);
  conditions.row(stage, "semaphore of value 2", "get value", on(OpKind::SemGetValue), "post", post);
}

void channel_conditions(Conditions& conditions) {
  constexpr ObjectId kBothEnds{2};
  Stage stage("pipe");
  Channel& pipe = stage.make(kX, ObjectKind::Channel).channel;
  pipe.readers = pipe.writers = 1;
  pipe.slots = 3;
  Description& ends = stage.make(kBothEnds, ObjectKind::Description).description;
  ends.reads = ends.writes = kX;
  ends.add_holder(kA);
  ends.add_holder(kChild);
  const Operation read{.kind = OpKind::ChannelRead, .flags = kTry, .object = kX, .second = kBothEnds, .value = 4096};
  const Operation write{.kind = OpKind::ChannelWrite, .flags = kTry, .object = kX, .second = kBothEnds, .value = 4096};
  conditions.row(stage, "empty pipe", "read", read, "write", write);
  stage.act(kA, write);
  conditions.row(stage, "pipe with one page of three", "read of a page", read, "write of a page", write);
  conditions.row(stage, "pipe with one page of three", "write of a page", write, "write of a page", write);
  stage.act(kA, write);
  stage.act(kA, write);
  conditions.row(stage, "full pipe", "read of a page", read, "write of a page", write);
}

void queue_conditions(Conditions& conditions) {
  Stage stage("queue");
  Queue& queue = stage.make(kX, ObjectKind::Queue).queue;
  queue.most = 3;
  const auto send = [](int64_t priority) {
    return Operation{.kind = OpKind::QueueSend, .flags = kTry, .object = kX, .value = 1, .desired = priority};
  };
  const Operation receive{.kind = OpKind::QueueReceive, .flags = kTry, .object = kX, .value = 1};
  conditions.row(stage, "empty POSIX queue", "receive", receive, "send", send(0));
  stage.act(kA, send(1));
  const std::string one = "POSIX queue with one message, of priority 1, of three";
  conditions.row(stage, one, "receive", receive, "send of priority 1", send(1));
  conditions.row(stage, one, "receive", receive, "send of priority 2", send(2));
  conditions.row(stage, one, "send of priority 1", send(1), "send of priority 2", send(2));
  conditions.row(stage, one, "send of priority 1", send(1), "send of priority 1", send(1));
  queue.form = Queue::Form::SystemV;
  conditions.row(stage, "System V queue", "send of type 1", send(1), "send of type 2", send(2));
}

void file_conditions(Conditions& conditions) {
  Stage stage("file");
  stage.make(kX, ObjectKind::File);
  const auto lock = [](int64_t begin, int64_t end) {
    return Operation{.kind = OpKind::FileLock, .flags = kRecord, .object = kX, .value = begin, .desired = end};
  };
  conditions.row(stage, "file without locks", "lock bytes 0 to 4", lock(0, 5), "lock bytes 5 to 9", lock(5, 10));
  conditions.row(stage, "file without locks", "lock bytes 0 to 5", lock(0, 6), "lock bytes 5 to 9", lock(5, 10));
}

void condition_conditions(Conditions& conditions) {
  Stage stage("condition");
  stage.make(kX, ObjectKind::Condition);
  stage.make(kY, ObjectKind::Mutex);
  const Operation wait{.kind = OpKind::CondWait, .object = kX, .second = kY};
  const Operation signal = on(OpKind::CondSignal);
  const Operation broadcast = on(OpKind::CondBroadcast);
  const Operation lock{.kind = OpKind::MutexLock, .object = kY};
  conditions.row(stage, "condition without waiters", "signal", signal, "broadcast", broadcast);
  stage.act(kA, lock);
  conditions.row(stage, "condition without waiters", "wait", wait, "signal", signal);
  stage.act(kA, {.kind = OpKind::MutexUnlock, .object = kY});
  stage.act(kB, lock);
  stage.act(kB, wait);
  conditions.row(stage, "condition with a waiter", "broadcast", broadcast, "broadcast", broadcast);
  conditions.row(stage, "condition with a waiter", "signal to it", signal, "signal to it", signal);
  stage.act(kA, lock);
  conditions.row(stage, "condition with a waiter", "wait", wait, "signal to it", signal);
  conditions.row(stage, "condition with a waiter", "wait", wait, "broadcast", broadcast);
}

void lock_conditions(Conditions& conditions) {
  Stage stage("lock");
  stage.make(kX, ObjectKind::Mutex).mutex.type = MutexType::Recursive;
  stage.make(kY, ObjectKind::RwLock);
  const Operation lock = on(OpKind::MutexLock);
  const Operation try_lock = on(OpKind::MutexLock, kTry);
  const Operation unlock = on(OpKind::MutexUnlock);
  conditions.row(stage, "free mutex", "lock", lock, "lock", lock);
  stage.act(kA, lock);
  conditions.row(stage, "recursive mutex, locked once", "lock again", lock, "try lock", try_lock);
  conditions.row(stage, "recursive mutex, locked once", "unlock", unlock, "try lock", try_lock);
  stage.act(kA, lock);
  conditions.row(stage, "recursive mutex, locked twice", "unlock", unlock, "try lock", try_lock);
  const Operation read_lock{.kind = OpKind::ReadLock, .object = kY};
  const Operation read_unlock{.kind = OpKind::RwUnlock, .object = kY};
  const Operation try_write{.kind = OpKind::WriteLock, .flags = kTry, .object = kY};
  stage.act(kA, read_lock);
  conditions.row(stage, "one reader", "read lock", read_lock, "try write lock", try_write);
  conditions.row(stage, "one reader", "its unlock", read_unlock, "try write lock", try_write);
  stage.act(kB, read_lock);
  conditions.row(stage, "two readers", "unlock of one", read_unlock, "try write lock", try_write);
}

void barrier_conditions(Conditions& conditions) {
  Stage stage("barrier");
  stage.make(kX, ObjectKind::Barrier).barrier.count = 3;
  const Operation arrive = on(OpKind::BarrierArrive);
  conditions.row(stage, "barrier of 3, nobody there", "arrive", arrive, "arrive", arrive);
  stage.act(kB, arrive);
  conditions.row(stage, "barrier of 3, one there", "arrive", arrive, "arrive", arrive);
}

void variable_conditions(Conditions& conditions) {
  Stage stage("variable");
  stage.make(kX, ObjectKind::Variable);
  const auto with = [](OpKind kind, int64_t value, int64_t desired = 0) {
    return Operation{.kind = kind, .object = kX, .value = value, .desired = desired};
  };
  const Operation load = with(OpKind::VarLoad, 0);
  const Operation store_0 = with(OpKind::VarStore, 0);
  const Operation store_1 = with(OpKind::VarStore, 1);
  const Operation fails = with(OpKind::VarCompareExchange, 2, 3);
  conditions.row(stage, "variable of value 0", "load", load, "store of 1", store_1);
  conditions.row(stage, "variable of value 0", "load", load, "store of 0", store_0);
  conditions.row(stage, "variable of value 0", "store of 1", store_1, "store of 1", store_1);
  conditions.row(stage, "variable of value 0", "compare-exchange of 2", fails, "store of 1",
                 store_1);
}

}  // namespace

std::string accesses_table() {
  return "Mutexes and spin locks:\n\n" + mutex_table() + "\nConditions:\n\n" + condition_table() +
         "\nReader-writer locks:\n\n" + rwlock_table() + "\nBarriers:\n\n" + barrier_table() +
         "\nPOSIX semaphores:\n\n" + semaphore_table() + "\nSystem V semaphore sets:\n\n" +
         sem_set_table() + "\nNames and keys:\n\n" + name_table() + "\nOnce:\n\n" + once_table() +
         "\nFutexes:\n\n" + futex_table() + "\nShared variables:\n\n" + variable_table() +
         "\nPipes; sockets are alike in each direction, and closing one also reads what it has not read:\n\n" +
         channel_table() + "\nMessage queues, as System V has them:\n\n" + queue_table() + "\nTimers (timerfd):\n\n" +
         timer_table() + "\nSockets that find each other by name; the queue is that of the one that listens:\n\n" +
         socket_table() + "\nLocks of files, each by a description of its own:\n\n" + file_lock_table() + "\nEvents (`mz_event`), of any names:\n\n" + event_table() +
         "\nThreads and processes, where a process has two threads and a child:\n\n" +
         process_table() + "\nSignals, where a process has two threads and a child:\n\n" + signal_table_of_accesses();
}

std::string conditional_table() {
  Conditions conditions;
  semaphore_conditions(conditions);
  channel_conditions(conditions);
  queue_conditions(conditions);
  file_conditions(conditions);
  condition_conditions(conditions);
  lock_conditions(conditions);
  barrier_conditions(conditions);
  variable_conditions(conditions);
  return conditions.text();
}

}  // namespace mazurka
