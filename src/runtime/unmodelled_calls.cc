// Calls that communicate and have no model yet. They go through, and the report names them. Sockets and
// their like are named where they are made; descriptor_calls.cc and poll_calls.cc see
// to it that using them does not block.
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/msg.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

#include "runtime/blocking.h"

namespace mazurka {
namespace {

// On Linux a message queue is a descriptor. False: the time was up.
bool await_queue(mqd_t queue, short events, const timespec* deadline, Call call) {
  if (is_nonblocking(queue)) return true;
  int64_t timeout_ns = kForever;
  if (deadline != nullptr) {
    const int64_t deadline_ns =
        deadline->tv_sec * 1'000'000'000 + deadline->tv_nsec - kRealtimeOffset_ns;
    const int64_t now_ns = read_clock_ns();
    timeout_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
  }
  return try_until_done(OtherSide::Program, timeout_ns, call,
                        [&] { return is_ready(queue, events); });
}

int time_out() {
  errno = ETIMEDOUT;
  return -1;
}

// A System V message call, tried without waiting until it does not fail with `busy`.
template <typename Attempt>
ssize_t await_message_queue(int flags, int busy, Call call, Attempt&& attempt) {
  ssize_t result = attempt();
  if (flags & IPC_NOWAIT) return result;
  try_until_done(OtherSide::Program, kForever, call, [&] {
    if (result < 0 && errno == busy) result = attempt();
    return result >= 0 || errno != busy;
  });
  return result;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

// NOLINTBEGIN(bugprone-macro-parentheses): types, names, and lists that have their own
#define MAZURKA_NAMING(result, name, parameters, arguments) \
  MAZURKA_EXPORT result name parameters {                   \
    if (attached()) name_unmodelled(#name, MAZURKA_HERE);   \
    return REAL(name) arguments;                            \
  }
// NOLINTEND(bugprone-macro-parentheses)

MAZURKA_NAMING(int, mkfifo, (const char* path, mode_t mode), (path, mode))
MAZURKA_NAMING(int, mkfifoat, (int directory, const char* path, mode_t mode),
               (directory, path, mode))
MAZURKA_NAMING(int, mknod, (const char* path, mode_t mode, dev_t device), (path, mode, device))
MAZURKA_NAMING(int, mknodat, (int directory, const char* path, mode_t mode, dev_t device),
               (directory, path, mode, device))
MAZURKA_NAMING(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
MAZURKA_NAMING(int, signalfd, (int fd, const sigset_t* mask, int flags), (fd, mask, flags))
MAZURKA_NAMING(int, inotify_init, (), ())
MAZURKA_NAMING(int, inotify_init1, (int flags), (flags))
MAZURKA_NAMING(int, fanotify_init, (unsigned flags, unsigned event_flags), (flags, event_flags))
MAZURKA_NAMING(int, msgget, (key_t key, int flags), (key, flags))
MAZURKA_NAMING(ssize_t, process_vm_readv,
               (pid_t pid, const iovec* local, unsigned long local_count, const iovec* remote,
                unsigned long remote_count, unsigned long flags),
               (pid, local, local_count, remote, remote_count, flags))
MAZURKA_NAMING(ssize_t, process_vm_writev,
               (pid_t pid, const iovec* local, unsigned long local_count, const iovec* remote,
                unsigned long remote_count, unsigned long flags),
               (pid, local, local_count, remote, remote_count, flags))

// Declared with varying arguments, but there are always four.
MAZURKA_EXPORT long trace_process(long request, long pid, void* address,
                                  void* data) __asm__("ptrace");
long trace_process(long request, long pid, void* address, void* data) {
  if (attached()) name_unmodelled("ptrace", MAZURKA_HERE);
  return reinterpret_cast<decltype(&trace_process)>(real_function("ptrace"))(request, pid, address,
                                                                             data);
}

// --- message queues

MAZURKA_EXPORT mqd_t mq_open(const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  mq_attr* const attributes = va_arg(arguments, mq_attr*);
  va_end(arguments);
  if (attached()) name_unmodelled("mq_open", MAZURKA_HERE);
  return REAL(mq_open)(name, flags, mode, attributes);
}

MAZURKA_EXPORT ssize_t mq_receive(mqd_t queue, char* bytes, size_t count, unsigned* priority) {
  if (attached()) await_queue(queue, POLLIN, nullptr, MAZURKA_HERE);
  return REAL(mq_receive)(queue, bytes, count, priority);
}

MAZURKA_EXPORT ssize_t mq_timedreceive(mqd_t queue, char* __restrict bytes, size_t count,
                                       unsigned* __restrict priority,
                                       const timespec* __restrict deadline) {
  if (!attached()) return REAL(mq_timedreceive)(queue, bytes, count, priority, deadline);
  if (!await_queue(queue, POLLIN, deadline, MAZURKA_HERE)) return time_out();
  return REAL(mq_receive)(queue, bytes, count, priority);
}

MAZURKA_EXPORT int mq_send(mqd_t queue, const char* bytes, size_t count, unsigned priority) {
  if (attached()) await_queue(queue, POLLOUT, nullptr, MAZURKA_HERE);
  return REAL(mq_send)(queue, bytes, count, priority);
}

MAZURKA_EXPORT int mq_timedsend(mqd_t queue, const char* bytes, size_t count, unsigned priority,
                                const timespec* deadline) {
  if (!attached()) return REAL(mq_timedsend)(queue, bytes, count, priority, deadline);
  if (!await_queue(queue, POLLOUT, deadline, MAZURKA_HERE)) return time_out();
  return REAL(mq_send)(queue, bytes, count, priority);
}

MAZURKA_EXPORT ssize_t msgrcv(int queue, void* message, size_t size, long type, int flags) {
  if (!attached()) return REAL(msgrcv)(queue, message, size, type, flags);
  return await_message_queue(flags, ENOMSG, MAZURKA_HERE, [&] {
    return REAL(msgrcv)(queue, message, size, type, flags | IPC_NOWAIT);
  });
}

MAZURKA_EXPORT int msgsnd(int queue, const void* message, size_t size, int flags) {
  if (!attached()) return REAL(msgsnd)(queue, message, size, flags);
  const auto attempt = [&]() -> ssize_t {
    return REAL(msgsnd)(queue, message, size, flags | IPC_NOWAIT);
  };
  return static_cast<int>(await_message_queue(flags, EAGAIN, MAZURKA_HERE, attempt));
}
