// The tables of what is used by descriptors: pipes, queues, timers, sockets, files.
#include <poll.h>

#include "testing/worlds/dependency_stage.h"
#include "testing/worlds/dependency_tables.h"

namespace mazurka {

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
  Operation read{
      .kind = OpKind::ChannelRead, .flags = kTry, .object = kX, .second = kReadEnd, .value = 1};
  Operation write{.kind = OpKind::ChannelWrite,
                  .flags = kTry,
                  .object = kX,
                  .second = kWriteEnd,
                  .value = 4096};
  const Operation close_read{.kind = OpKind::DescriptionClose, .object = kReadEnd};
  const Operation close_write{.kind = OpKind::DescriptionClose, .object = kWriteEnd};
  Operation poll{
      .kind = OpKind::Poll, .flags = kTry, .part_begin = stage.world().part_count, .part_count = 1};
  stage.world().parts[stage.world().part_count++] = polled(kReadEnd, POLLIN);
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

// As System V has it; of a POSIX queue, each operation also reads whether its process holds the
// descriptor, and whether that blocks.
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
  Operation poll{.kind = OpKind::Poll,
                 .flags = kTry | kMayExpire,
                 .part_begin = stage.world().part_count,
                 .part_count = 1};
  stage.world().parts[stage.world().part_count++] = polled(kEnd, POLLIN);
  stage.row("timerfd_settime", kA, with(OpKind::TimerSet, 1));
  stage.row("timerfd_gettime", kA, with(OpKind::TimerGet, 0));
  stage.row("read of one that is not set (EAGAIN)", kA, with(OpKind::TimerRead, 0));
  stage.row("poll", kChild, poll);
  stage.act(kA, with(OpKind::TimerSet, 1));
  stage.row("read of one that is set, also if it has not expired yet (EAGAIN)", kA,
            with(OpKind::TimerRead, 0));
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
    return Operation{.kind = kind,
                     .flags = flags,
                     .object = kX,
                     .second = thread == kA ? kOfA : kOfChild,
                     .desired = 1};
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

// The child holds the description, too.
std::string file_use_table() {
  using enum FileUsage;
  constexpr ObjectId kDirectory{2};
  constexpr ObjectId kData{3};
  constexpr ObjectId kEnd{4};
  Stage stage("file");
  for (const ObjectId name : {kX, kY, kDirectory}) stage.make(name, ObjectKind::FileName);
  stage.world().object(kDirectory).file_name.exists = true;
  stage.make(kData, ObjectKind::FileData);
  Description& description = stage.make(kEnd, ObjectKind::Description).description;
  description.reads = kData;
  for (const ThreadId process : {kA, kChild}) description.add_holder(process);
  const auto row = [&](const char* words, ThreadId thread,
                       const std::vector<std::pair<FileUsage, ObjectId>>& uses) {
    std::vector<OpPart> parts;
    for (const auto& [usage, object] : uses) parts.push_back(used(object, usage));
    stage.row(words, thread, stage.with_parts(on(OpKind::FileUse), parts));
  };
  row("create f", kA,
      {{LooksUp, kDirectory}, {ChangesEntries, kDirectory}, {Makes, kX}, {WritesData, kData}});
  row("create g", kChild, {{LooksUp, kDirectory}, {ChangesEntries, kDirectory}, {Makes, kY}});
  row("unlink f that fails (ENOENT)", kA,
      {{LooksUp, kDirectory}, {ChangesEntries, kDirectory}, {Removes, kX}});
  row("list d", kA, {{LooksUp, kDirectory}, {Lists, kDirectory}});
  stage.world().object(kX).file_name.exists = true;
  row("open f", kChild, {{LooksUp, kDirectory}, {LooksUp, kX}});
  row("stat f", kA,
      {{LooksUp, kDirectory}, {LooksUp, kX}, {ReadsData, kData}, {ReadsLinks, kData}});
  row("unlink f", kA,
      {{LooksUp, kDirectory}, {ChangesEntries, kDirectory}, {Removes, kX}, {ChangesLinks, kData}});
  row("rename f to g", kA,
      {{LooksUp, kDirectory}, {ChangesEntries, kDirectory}, {Removes, kX}, {Replaces, kY}});
  row("rmdir d", kA, {{Lists, kDirectory}, {Removes, kDirectory}});
  row("read", kA, {{MovesOffset, kEnd}, {ReadsData, kData}});
  row("write", kChild, {{MovesOffset, kEnd}, {WritesData, kData}});
  row("pread", kA, {{UsesDescription, kEnd}, {ReadsData, kData}});
  row("pwrite", kChild, {{UsesDescription, kEnd}, {WritesData, kData}});
  stage.row("close", kA, {.kind = OpKind::DescriptionClose, .object = kEnd});
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
  for (const ObjectId id : {kQueue, kOut, kIn})
    stage.make(id, ObjectKind::Channel).channel.is_socket = true;
  for (const ObjectId id : {kServer, kClient, kAccepted}) {
    Description& socket = stage.make(id, ObjectKind::Description).description;
    socket.stage = SocketStage::Fresh;
    socket.reads = id == kServer ? kQueue : kIn;
    socket.writes = kOut;
    for (const ThreadId process : {kA, kChild}) socket.add_holder(process);
  }
  const Operation bind{
      .kind = OpKind::SocketBind, .object = kX, .second = kServer, .desired = kIsFile};
  const Operation listen{.kind = OpKind::SocketListen, .object = kServer, .value = 4};
  const Operation connect{.kind = OpKind::SocketConnect, .object = kX, .second = kClient};
  const Operation accept{
      .kind = OpKind::SocketAccept, .object = kQueue, .second = kServer, .value = index(kAccepted)};
  stage.row("connect that nobody listens to (ECONNREFUSED)", kChild, connect);
  stage.row("bind", kA, bind);
  stage.act(kA, bind);
  stage.row("listen", kA, listen);
  stage.act(kA, listen);
  stage.row("connect", kChild, connect);
  stage.row("close of a socket that listens", kChild,
            {.kind = OpKind::DescriptionClose, .object = kServer});
  stage.row("unlink", kB, {.kind = OpKind::AddressUnlink, .object = kX});
  stage.act(kChild, connect);
  stage.row("accept", kA, accept);
  return stage.finish();
}

}  // namespace mazurka
