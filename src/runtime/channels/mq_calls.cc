// POSIX message queues: calls become operations on kinds/channels/queue.h. A name is that of
// kinds/processes/named.h, a mqd_t a descriptor that leads to a description, as with pipes; for the
// kernel it is one of /dev/null, so that its number is taken.
//
// Not modelled: who may open a queue, the system's limits for attributes (fs.mqueue), and
// mq_notify.
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <time.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "runtime/channels/descriptors.h"
#include "runtime/channels/queue_memory.h"
#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/processes/shared_memory.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/sync/mutex_calls.h"
#include "runtime/sync/posix_names.h"

namespace mazurka {
namespace {

constexpr char kSpace[] = "mq";
constexpr long kMostMessages = 65536;     // HARD_MSGMAX
constexpr long kMostLength = 16'777'216;  // HARD_MSGSIZEMAX
constexpr unsigned kPriorities = 32768;   // MQ_PRIO_MAX
constexpr mq_attr kDefaults{
    .mq_flags = 0, .mq_maxmsg = 10, .mq_msgsize = 8192, .mq_curmsgs = 0, .__pad = {}};

int error_in_queue_name(const char* text) {
  if (text[0] != '/') return EINVAL;
  const char* const rest = text + 1;
  if (rest[0] == '\0') return ENOENT;
  if (strchr(rest, '/') != nullptr) return EACCES;
  return strlen(rest) > NAME_MAX ? ENAMETOOLONG : 0;
}

bool are_valid(const mq_attr& wanted) {
  return wanted.mq_maxmsg > 0 && wanted.mq_msgsize > 0 && wanted.mq_maxmsg <= kMostMessages &&
         wanted.mq_msgsize <= kMostLength;
}

// Each time that the name is made it leads to another queue.
ObjectId make_queue(const char* text, uint32_t generation, const mq_attr& wanted) {
  const ObjectId id =
      object_by_name(text, uint64_t{generation} << 32 | 'q', ObjectKind::Queue, Storage::Name);
  Queue& queue = world().object(id).queue;
  queue.form = Queue::Form::Posix;
  queue.most = static_cast<uint32_t>(wanted.mq_maxmsg);
  queue.most_length = static_cast<uint32_t>(wanted.mq_msgsize);
  return id;
}

// Attributes count only where the queue is made. The queue, or kNoObject and errno.
ObjectId open_queue(const char* text, int flags, const mq_attr& wanted, Call call) {
  const ObjectId name = posix_name(text, kSpace);
  const bool may_make = are_valid(wanted);
  const int64_t how = may_make ? name_open_flags(flags) : 0;
  const Effect opened = reach_name(OpKind::NameOpen, name, how, call);
  int error = opened.error;
  if (!may_make && (flags & O_CREAT) != 0 && error == ENOENT) error = EINVAL;
  if (!may_make && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0 && error == 0) error = EEXIST;
  if (error != 0) {
    errno = error;
    return kNoObject;
  }
  Named& named = world().object(name).named;
  if (opened.value == 1) named.target = make_queue(text, named.generation, wanted);
  return named.target;
}

int open_descriptor(ObjectId queue, int flags, Call call) {
  const int access = flags & O_ACCMODE;
  const ObjectId reads = access == O_WRONLY ? kNoObject : queue;
  const ObjectId writes = access == O_RDONLY ? kNoObject : queue;
  const ObjectId description =
      make_description("queue descriptor", next_number(), "", reads, writes);
  world().object(description).description.is_nonblocking = (flags & O_NONBLOCK) != 0;
  open_descriptions(description, kNoObject, call);
  const long fd =
      program_syscall(SYS_openat, AT_FDCWD, address_of("/dev/null"), O_RDWR | O_CLOEXEC);
  if (raw_failed(fd)) return fail(static_cast<int>(-fd));
  add_descriptor(static_cast<int>(fd), description, true);
  return static_cast<int>(fd);
}

mqd_t open_by_name(const char* text, int flags, const mq_attr* attributes, Call call) {
  if (const int wrong = error_in_queue_name(text); wrong != 0) return fail(wrong);
  if ((flags & O_ACCMODE) == O_ACCMODE) return fail(EINVAL);
  prepare_queues();
  const ObjectId queue =
      open_queue(text, flags, attributes != nullptr ? *attributes : kDefaults, call);
  return queue == kNoObject ? -1 : open_descriptor(queue, flags, call);
}

const Description& at(ObjectId id) { return world().object(id).description; }

// The description of a queue behind the descriptor, or kNoObject.
ObjectId queue_description(mqd_t queue) {
  const ObjectId id = pollable_description_of(queue);
  return id != kNoObject && kind_behind(world(), at(id)) == ObjectKind::Queue ? id : kNoObject;
}

struct Deadline {
  const timespec* time = nullptr;

  bool is_wrong() const { return time != nullptr && (!is_valid(*time) || time->tv_sec < 0); }
  void add_to(Operation& op) const {
    if (time == nullptr) return;
    op.flags |= kTimed;
    op.deadline_ns = deadline_of(CLOCK_REALTIME, *time);
  }
};

Operation operation(OpKind kind, ObjectId description, ObjectId queue, Deadline deadline) {
  Operation op{.kind = kind, .object = queue, .second = description};
  deadline.add_to(op);
  return op;
}

int send(mqd_t fd, const char* bytes, size_t count, unsigned priority, Deadline deadline,
         Call call) {
  if (priority >= kPriorities || deadline.is_wrong()) return fail(EINVAL);
  const ObjectId description = queue_description(fd);
  if (description == kNoObject || at(description).writes == kNoObject) return fail(EBADF);
  const ObjectId queue = at(description).writes;
  if (count > world().object(queue).queue.most_length) return fail(EMSGSIZE);
  Operation op = operation(OpKind::QueueSend, description, queue, deadline);
  op.value = static_cast<int64_t>(count);
  op.desired = priority;
  const Effect effect = send_message(op, bytes, call);
  return effect.error == 0 ? 0 : fail(effect.error);
}

ssize_t receive(mqd_t fd, char* bytes, size_t count, unsigned* priority, Deadline deadline,
                Call call) {
  if (deadline.is_wrong()) return fail(EINVAL);
  const ObjectId description = queue_description(fd);
  if (description == kNoObject || at(description).reads == kNoObject) return fail(EBADF);
  const ObjectId queue = at(description).reads;
  if (count < world().object(queue).queue.most_length) return fail(EMSGSIZE);
  Operation op = operation(OpKind::QueueReceive, description, queue, deadline);
  op.value = static_cast<int64_t>(count);
  const Received received = receive_message(op, bytes, call);
  if (received.effect.error != 0) return fail(received.effect.error);
  if (priority != nullptr) *priority = static_cast<unsigned>(received.type);
  return static_cast<ssize_t>(received.length);
}

int get_attributes(ObjectId description, mq_attr& to, Call call) {
  const ObjectId id = at(description).either();
  const Effect effect =
      reach({.kind = OpKind::QueueGet, .object = id, .second = description}, call);
  if (effect.error != 0) return fail(effect.error);
  const Queue& queue = world().object(id).queue;
  to = {};
  to.mq_flags = at(description).is_nonblocking ? O_NONBLOCK : 0;
  to.mq_maxmsg = queue.most;
  to.mq_msgsize = queue.most_length;
  to.mq_curmsgs = static_cast<long>(effect.value);
  return 0;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT mqd_t mq_open(const char* text, int flags, ...) {
  mode_t mode = 0;
  mq_attr* attributes = nullptr;
  if ((flags & O_CREAT) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    attributes = va_arg(rest, mq_attr*);
    va_end(rest);
  }
  if (!attached()) return REAL(mq_open)(text, flags, mode, attributes);
  return open_by_name(text, flags, attributes, MAZURKA_HERE);
}

// With _FORTIFY_SOURCE programs call this; no header declares it for us.
// NOLINTNEXTLINE(*-naming,*-reserved-identifier)
MAZURKA_EXPORT mqd_t __mq_open_2(const char* text, int flags) {
  if (!attached()) return REAL(mq_open)(text, flags);
  return open_by_name(text, flags, nullptr, MAZURKA_HERE);
}

MAZURKA_EXPORT int mq_close(mqd_t queue) {
  if (!attached()) return REAL(mq_close)(queue);
  if (queue_description(queue) == kNoObject) return fail(EBADF);
  close_descriptor(queue, MAZURKA_HERE);
  program_syscall(SYS_close, queue);
  return 0;
}

MAZURKA_EXPORT int mq_unlink(const char* text) {
  if (!attached()) return REAL(mq_unlink)(text);
  if (const int wrong = error_in_queue_name(text); wrong != 0) return fail(wrong);
  prepare_queues();
  const int error = reach_name(OpKind::NameUnlink, posix_name(text, kSpace), 0, MAZURKA_HERE).error;
  return error == 0 ? 0 : fail(error);
}

MAZURKA_EXPORT int mq_send(mqd_t queue, const char* bytes, size_t count, unsigned priority) {
  if (!attached()) return REAL(mq_send)(queue, bytes, count, priority);
  return send(queue, bytes, count, priority, {}, MAZURKA_HERE);
}

MAZURKA_EXPORT int mq_timedsend(mqd_t queue, const char* bytes, size_t count, unsigned priority,
                                const timespec* deadline) {
  if (!attached()) return REAL(mq_timedsend)(queue, bytes, count, priority, deadline);
  return send(queue, bytes, count, priority, {deadline}, MAZURKA_HERE);
}

MAZURKA_EXPORT ssize_t mq_receive(mqd_t queue, char* bytes, size_t count, unsigned* priority) {
  if (!attached()) return REAL(mq_receive)(queue, bytes, count, priority);
  return receive(queue, bytes, count, priority, {}, MAZURKA_HERE);
}

MAZURKA_EXPORT ssize_t mq_timedreceive(mqd_t queue, char* __restrict bytes, size_t count,
                                       unsigned* __restrict priority,
                                       const timespec* __restrict deadline) {
  if (!attached()) return REAL(mq_timedreceive)(queue, bytes, count, priority, deadline);
  return receive(queue, bytes, count, priority, {deadline}, MAZURKA_HERE);
}

MAZURKA_EXPORT int mq_getattr(mqd_t queue, mq_attr* attributes) {
  if (!attached()) return REAL(mq_getattr)(queue, attributes);
  const ObjectId description = queue_description(queue);
  return description == kNoObject ? fail(EBADF)
                                  : get_attributes(description, *attributes, MAZURKA_HERE);
}

MAZURKA_EXPORT int mq_setattr(mqd_t queue, const mq_attr* __restrict wanted,
                              mq_attr* __restrict old) {
  if (!attached()) return REAL(mq_setattr)(queue, wanted, old);
  const Call call = MAZURKA_HERE;
  const ObjectId description = queue_description(queue);
  if (description == kNoObject) return fail(EBADF);
  if ((wanted->mq_flags & ~long{O_NONBLOCK}) != 0) return fail(EINVAL);
  if (old != nullptr && get_attributes(description, *old, call) != 0) return -1;
  set_nonblocking(queue, (wanted->mq_flags & O_NONBLOCK) != 0, call);
  return 0;
}

MAZURKA_EXPORT int mq_notify(mqd_t queue, const sigevent* event) {
  if (!attached()) return REAL(mq_notify)(queue, event);
  if (queue_description(queue) == kNoObject) return fail(EBADF);
  name_unmodelled("mq_notify (it fails here)", MAZURKA_HERE);
  return fail(ENOSYS);
}
