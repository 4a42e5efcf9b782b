// The table of what commutes in the present state.
#include "testing/worlds/dependency_stage.h"
#include "testing/worlds/dependency_table.h"

namespace mazurka {
namespace {

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
  const Operation read{
      .kind = OpKind::ChannelRead, .flags = kTry, .object = kX, .second = kBothEnds, .value = 4096};
  const Operation write{.kind = OpKind::ChannelWrite,
                        .flags = kTry,
                        .object = kX,
                        .second = kBothEnds,
                        .value = 4096};
  conditions.row(stage, "empty pipe", "read", read, "write", write);
  stage.act(kA, write);
  conditions.row(stage, "pipe with one page of three", "read of a page", read, "write of a page",
                 write);
  conditions.row(stage, "pipe with one page of three", "write of a page", write, "write of a page",
                 write);
  stage.act(kA, write);
  stage.act(kA, write);
  conditions.row(stage, "full pipe", "read of a page", read, "write of a page", write);
}

void queue_conditions(Conditions& conditions) {
  Stage stage("queue");
  Queue& queue = stage.make(kX, ObjectKind::Queue).queue;
  queue.most = 3;
  const auto send = [](int64_t priority) {
    return Operation{
        .kind = OpKind::QueueSend, .flags = kTry, .object = kX, .value = 1, .desired = priority};
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
    return Operation{
        .kind = OpKind::FileLock, .flags = kRecord, .object = kX, .value = begin, .desired = end};
  };
  conditions.row(stage, "file without locks", "lock bytes 0 to 4", lock(0, 5), "lock bytes 5 to 9",
                 lock(5, 10));
  conditions.row(stage, "file without locks", "lock bytes 0 to 5", lock(0, 6), "lock bytes 5 to 9",
                 lock(5, 10));
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
