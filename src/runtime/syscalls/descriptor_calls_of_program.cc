// Calls on descriptors and message queues, by their numbers. The functions called here are our own
// where we have them, libc's otherwise.
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/syscalls/calls_of_program.h"

namespace mazurka {
namespace {

template <typename T>
T* pointer(long argument) {
  return reinterpret_cast<T*>(argument);
}

// The mask comes with its size, behind one pointer.
long pselect_call(const long* a) {
  struct Mask {
    const sigset_t* set;
    size_t size;
  };
  const Mask* const mask = pointer<Mask>(a[5]);
  return pselect(static_cast<int>(a[0]), pointer<fd_set>(a[1]), pointer<fd_set>(a[2]),
                 pointer<fd_set>(a[3]), pointer<timespec>(a[4]),
                 mask == nullptr ? nullptr : mask->set);
}

// NOLINTNEXTLINE(readability-function-size): a flat switch
bool do_message_call(long number, const long* a, long& result) {
  const int fd = static_cast<int>(a[0]);
  const auto size = static_cast<size_t>(a[2]);
  switch (number) {
    case SYS_socket:
      result = socket(fd, static_cast<int>(a[1]), static_cast<int>(a[2]));
      return true;
    case SYS_socketpair:
      result = socketpair(fd, static_cast<int>(a[1]), static_cast<int>(a[2]), pointer<int>(a[3]));
      return true;
    case SYS_accept:
      result = accept(fd, pointer<sockaddr>(a[1]), pointer<socklen_t>(a[2]));
      return true;
    case SYS_accept4:
      result =
          accept4(fd, pointer<sockaddr>(a[1]), pointer<socklen_t>(a[2]), static_cast<int>(a[3]));
      return true;
    case SYS_connect:
      result = connect(fd, pointer<sockaddr>(a[1]), static_cast<socklen_t>(a[2]));
      return true;
    case SYS_recvfrom:
      result = recvfrom(fd, pointer<void>(a[1]), size, static_cast<int>(a[3]),
                        pointer<sockaddr>(a[4]), pointer<socklen_t>(a[5]));
      return true;
    case SYS_sendto:
      result = sendto(fd, pointer<void>(a[1]), size, static_cast<int>(a[3]),
                      pointer<sockaddr>(a[4]), static_cast<socklen_t>(a[5]));
      return true;
    case SYS_recvmsg:
      result = recvmsg(fd, pointer<msghdr>(a[1]), static_cast<int>(a[2]));
      return true;
    case SYS_sendmsg:
      result = sendmsg(fd, pointer<msghdr>(a[1]), static_cast<int>(a[2]));
      return true;
    case SYS_mq_timedreceive:
      result = mq_timedreceive(fd, pointer<char>(a[1]), size, pointer<unsigned>(a[3]),
                               pointer<timespec>(a[4]));
      return true;
    case SYS_mq_timedsend:
      result = mq_timedsend(fd, pointer<char>(a[1]), size, static_cast<unsigned>(a[3]),
                            pointer<timespec>(a[4]));
      return true;
    case SYS_msgget:
      result = msgget(static_cast<key_t>(a[0]), static_cast<int>(a[1]));
      return true;
    case SYS_msgctl:
      result = msgctl(fd, static_cast<int>(a[1]), pointer<msqid_ds>(a[2]));
      return true;
    case SYS_msgrcv:
      result = msgrcv(fd, pointer<void>(a[1]), size, a[3], static_cast<int>(a[4]));
      return true;
    case SYS_msgsnd:
      result = msgsnd(fd, pointer<void>(a[1]), size, static_cast<int>(a[3]));
      return true;
    case SYS_shutdown:
      result = shutdown(fd, static_cast<int>(a[1]));
      return true;
    case SYS_bind:
      result = bind(fd, pointer<sockaddr>(a[1]), static_cast<socklen_t>(a[2]));
      return true;
    case SYS_listen:
      result = listen(fd, static_cast<int>(a[1]));
      return true;
    case SYS_getsockname:
      result = getsockname(fd, pointer<sockaddr>(a[1]), pointer<socklen_t>(a[2]));
      return true;
    case SYS_getpeername:
      result = getpeername(fd, pointer<sockaddr>(a[1]), pointer<socklen_t>(a[2]));
      return true;
    case SYS_setsockopt:
      result = setsockopt(fd, static_cast<int>(a[1]), static_cast<int>(a[2]), pointer<void>(a[3]),
                          static_cast<socklen_t>(a[4]));
      return true;
    case SYS_getsockopt:
      result = getsockopt(fd, static_cast<int>(a[1]), static_cast<int>(a[2]), pointer<void>(a[3]),
                          pointer<socklen_t>(a[4]));
      return true;
    case SYS_recvmmsg:
      result = recvmmsg(fd, pointer<mmsghdr>(a[1]), static_cast<unsigned>(a[2]),
                        static_cast<int>(a[3]), pointer<timespec>(a[4]));
      return true;
    case SYS_sendmmsg:
      result =
          sendmmsg(fd, pointer<mmsghdr>(a[1]), static_cast<unsigned>(a[2]), static_cast<int>(a[3]));
      return true;
    default:
      return false;
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a flat switch
bool do_descriptor_call(long number, const long* a, long& result) {
  const int fd = static_cast<int>(a[0]);
  const auto size = static_cast<size_t>(a[2]);
  switch (number) {
    case SYS_read:
      result = read(fd, pointer<void>(a[1]), size);
      return true;
    case SYS_write:
      result = write(fd, pointer<void>(a[1]), size);
      return true;
    case SYS_readv:
      result = readv(fd, pointer<iovec>(a[1]), static_cast<int>(a[2]));
      return true;
    case SYS_writev:
      result = writev(fd, pointer<iovec>(a[1]), static_cast<int>(a[2]));
      return true;
    case SYS_pipe:
      result = pipe(pointer<int>(a[0]));
      return true;
    case SYS_pipe2:
      result = pipe2(pointer<int>(a[0]), static_cast<int>(a[1]));
      return true;
    case SYS_poll:
      result = poll(pointer<pollfd>(a[0]), static_cast<nfds_t>(a[1]), static_cast<int>(a[2]));
      return true;
    case SYS_ppoll:
      result = ppoll(pointer<pollfd>(a[0]), static_cast<nfds_t>(a[1]), pointer<timespec>(a[2]),
                     pointer<sigset_t>(a[3]));
      return true;
    case SYS_select:
      result = select(fd, pointer<fd_set>(a[1]), pointer<fd_set>(a[2]), pointer<fd_set>(a[3]),
                      pointer<timeval>(a[4]));
      return true;
    case SYS_epoll_wait:
      result = epoll_wait(fd, pointer<epoll_event>(a[1]), static_cast<int>(a[2]),
                          static_cast<int>(a[3]));
      return true;
    case SYS_epoll_pwait:
      result = epoll_pwait(fd, pointer<epoll_event>(a[1]), static_cast<int>(a[2]),
                           static_cast<int>(a[3]), pointer<sigset_t>(a[4]));
      return true;
    case SYS_eventfd2:
      result = eventfd(static_cast<unsigned>(a[0]), static_cast<int>(a[1]));
      return true;
    case SYS_timerfd_create:
      result = timerfd_create(fd, static_cast<int>(a[1]));
      return true;
    case SYS_flock:
      result = flock(fd, static_cast<int>(a[1]));
      return true;
    case SYS_close:
      result = close(fd);
      return true;
    case SYS_dup:
      result = dup(fd);
      return true;
    case SYS_dup2:
      result = dup2(fd, static_cast<int>(a[1]));
      return true;
    case SYS_dup3:
      result = dup3(fd, static_cast<int>(a[1]), static_cast<int>(a[2]));
      return true;
    case SYS_close_range:
      result = close_range(static_cast<unsigned>(a[0]), static_cast<unsigned>(a[1]),
                           static_cast<int>(a[2]));
      return true;
    case SYS_fcntl:
      result = fcntl(fd, static_cast<int>(a[1]), a[2]);
      return true;
    case SYS_ioctl:
      result = ioctl(fd, static_cast<unsigned long>(a[1]), pointer<void>(a[2]));
      return true;
    case SYS_memfd_create:
      result = memfd_create(pointer<char>(a[0]), static_cast<unsigned>(a[1]));
      return true;
    case SYS_splice:
      result = splice(fd, pointer<off64_t>(a[1]), static_cast<int>(a[2]), pointer<off64_t>(a[3]),
                      static_cast<size_t>(a[4]), static_cast<unsigned>(a[5]));
      return true;
    case SYS_tee:
      result = tee(fd, static_cast<int>(a[1]), size, static_cast<unsigned>(a[3]));
      return true;
    case SYS_vmsplice:
      result = vmsplice(fd, pointer<iovec>(a[1]), size, static_cast<unsigned>(a[3]));
      return true;
    case SYS_sendfile:
      result =
          sendfile(fd, static_cast<int>(a[1]), pointer<off_t>(a[2]), static_cast<size_t>(a[3]));
      return true;
    case SYS_eventfd:
      result = eventfd(static_cast<unsigned>(a[0]), 0);
      return true;
    case SYS_epoll_create:
      result = epoll_create(fd);
      return true;
    case SYS_epoll_create1:
      result = epoll_create1(fd);
      return true;
    case SYS_epoll_ctl:
      result =
          epoll_ctl(fd, static_cast<int>(a[1]), static_cast<int>(a[2]), pointer<epoll_event>(a[3]));
      return true;
    case SYS_epoll_pwait2:
      result = epoll_pwait2(fd, pointer<epoll_event>(a[1]), static_cast<int>(a[2]),
                            pointer<timespec>(a[3]), pointer<sigset_t>(a[4]));
      return true;
    case SYS_pselect6:
      result = pselect_call(a);
      return true;
    case SYS_timerfd_settime:
      result = timerfd_settime(fd, static_cast<int>(a[1]), pointer<itimerspec>(a[2]),
                               pointer<itimerspec>(a[3]));
      return true;
    case SYS_timerfd_gettime:
      result = timerfd_gettime(fd, pointer<itimerspec>(a[1]));
      return true;
    default:
      return do_message_call(number, a, result);
  }
}

}  // namespace mazurka
