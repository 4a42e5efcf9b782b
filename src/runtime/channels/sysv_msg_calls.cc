// msgget, msgsnd, msgrcv, msgctl: calls become operations on kinds/channels/queue.h. Making a
// private queue is invisible; a key is a name (kinds/processes/named.h).
//
// Not modelled: who may use a queue (EACCES), the times of IPC_STAT, and MSG_COPY.
#include <sys/ipc.h>
#include <sys/msg.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/channels/queue_memory.h"
#include "runtime/core/failure.h"
#include "runtime/core/limits.h"
#include "runtime/processes/shared_memory.h"
#include "runtime/sync/sysv_names.h"

namespace mazurka {
namespace {

constexpr char kSpace[] = "messages";
constexpr size_t kMostLength = 8192;    // MSGMAX
constexpr uint32_t kMostBytes = 16384;  // MSGMNB
constexpr int kCopy = 040000;           // MSG_COPY
constexpr int kExceptFlag = 020000;     // MSG_EXCEPT

struct AnyMessage {  // as callers declare it
  long type;
  char bytes[];
};

QueueRecord* find_queue(int id) {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.queue_count; ++i) {
    if (s.queues[i].id == id) return &s.queues[i];
  }
  return nullptr;
}

ObjectId queue_object(int id, key_t key) {
  char text[48];
  if (key == IPC_PRIVATE) {
    snprintf(text, sizeof text, "queue %d", id);
  } else {
    snprintf(text, sizeof text, "queue 0x%x", static_cast<unsigned>(key));
  }
  return object_by_name(text, static_cast<uint32_t>(id), ObjectKind::Queue, Storage::Name);
}

int make_queue(int id, key_t key, ObjectId name, int mode) {
  Segment& s = segment();
  if (s.queue_count >= kMaxQueues)
    limit_reached("more message queues than Mazurka can give to one execution (256)");
  const ObjectId object = queue_object(id, key);
  Queue& queue = world().object(object).queue;
  queue.form = Queue::Form::SystemV;
  queue.most = kMostBytes;
  s.queues[s.queue_count++] = {id, key, object, name, static_cast<uint32_t>(mode & 0777)};
  return id;
}

int get_by_key(key_t key, int flags, Call call) {
  const ObjectId name = sysv_name(kSpace, key);
  const Effect opened = reach_name(OpKind::NameOpen, name, sysv_open_flags(flags), call);
  if (opened.error != 0) return fail(opened.error);
  Named& named = world().object(name).named;
  if (opened.value == 1) {
    const int id = id_from_key(key, named.generation);
    named.value = make_queue(id, key, name, flags);
  }
  return static_cast<int>(named.value);
}

int describe(const QueueRecord& record, msqid_ds& to, Call call) {
  const Effect effect = reach({.kind = OpKind::QueueGet, .object = record.queue}, call);
  if (effect.error != 0) return fail(effect.error);
  const Queue& queue = world().object(record.queue).queue;
  memset(&to, 0, sizeof to);
  to.msg_perm.__key = record.key;
  to.msg_perm.uid = to.msg_perm.cuid = getuid();
  to.msg_perm.gid = to.msg_perm.cgid = getgid();
  to.msg_perm.mode = static_cast<unsigned short>(record.mode);
  to.msg_qnum = queue.count;
  to.__msg_cbytes = queue.bytes;
  to.msg_qbytes = queue.most;
  to.msg_lspid = queue.last_sender == kNoProcess ? 0 : virtual_pid(queue.last_sender);
  to.msg_lrpid = queue.last_receiver == kNoProcess ? 0 : virtual_pid(queue.last_receiver);
  return 0;
}

int answer(const Effect& effect) { return effect.error == 0 ? 0 : fail(effect.error); }

int control(QueueRecord& record, int command, msqid_ds* data, Call call) {
  switch (command) {
    case IPC_RMID:  // the key is free at the same moment
      return answer(destroy(
          {.kind = OpKind::QueueRemove, .object = record.queue, .second = record.name}, call));
    case IPC_STAT:
      return describe(record, *data, call);
    case IPC_SET:
      record.mode = data->msg_perm.mode & 0777u;
      return answer(destroy({.kind = OpKind::QueueSet,
                             .object = record.queue,
                             .value = static_cast<int64_t>(data->msg_qbytes)},
                            call));
    default:
      name_unmodelled("msgctl with this command", call);
      return fail(EINVAL);
  }
}

uint8_t receive_flags(int flags, long type) {
  uint8_t made = 0;
  if (flags & IPC_NOWAIT) made |= kTry;
  if (flags & MSG_NOERROR) made |= kCut;
  if ((flags & kExceptFlag) != 0 && type > 0) made |= kExcept;
  return made;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int msgget(key_t key, int flags) noexcept {
  if (!attached()) return REAL(msgget)(key, flags);
  const Call call = MAZURKA_HERE;
  prepare_queues();
  if (key != IPC_PRIVATE) return get_by_key(key, flags, call);
  const int id = id_for_private([](int32_t i) { return find_queue(i) != nullptr; });
  return make_queue(id, key, kNoObject, flags);
}

MAZURKA_EXPORT int msgsnd(int id, const void* message, size_t length, int flags) {
  if (!attached()) return REAL(msgsnd)(id, message, length, flags);
  const auto* const sent = static_cast<const AnyMessage*>(message);
  const QueueRecord* const record = find_queue(id);
  if (record == nullptr || sent->type < 1 || length > kMostLength) return fail(EINVAL);
  const Operation op{.kind = OpKind::QueueSend,
                     .flags = (flags & IPC_NOWAIT) != 0 ? uint8_t{kTry} : uint8_t{0},
                     .object = record->queue,
                     .value = static_cast<int64_t>(length),
                     .desired = sent->type};
  return answer(send_message(op, sent->bytes, MAZURKA_HERE));
}

MAZURKA_EXPORT ssize_t msgrcv(int id, void* message, size_t length, long type, int flags) {
  if (!attached()) return REAL(msgrcv)(id, message, length, type, flags);
  const Call call = MAZURKA_HERE;
  auto* const received = static_cast<AnyMessage*>(message);
  const QueueRecord* const record = find_queue(id);
  if (record == nullptr || static_cast<ssize_t>(length) < 0) return fail(EINVAL);
  if (flags & kCopy) {
    name_unmodelled("msgrcv with MSG_COPY (it fails here)", call);
    return fail(ENOSYS);
  }
  const Operation op{.kind = OpKind::QueueReceive,
                     .flags = receive_flags(flags, type),
                     .object = record->queue,
                     .value = static_cast<int64_t>(length),
                     .desired = type};
  const Received got = receive_message(op, received->bytes, call);
  if (got.effect.error != 0) return fail(got.effect.error);
  received->type = got.type;
  return static_cast<ssize_t>(got.length);
}

MAZURKA_EXPORT int msgctl(int id, int command, msqid_ds* data) noexcept {
  if (!attached()) return REAL(msgctl)(id, command, data);
  QueueRecord* const record = find_queue(id);
  return record == nullptr ? fail(EINVAL) : control(*record, command, data, MAZURKA_HERE);
}
