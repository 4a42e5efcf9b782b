#include "runtime/channels/channel_calls.h"

#include <limits.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/channels/channel_io.h"
#include "runtime/channels/descriptors.h"
#include "runtime/channels/shown_data.h"
#include "runtime/core/failure.h"
#include "runtime/core/raw.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/sockets/datagram_calls.h"
#include "runtime/sockets/sockets.h"

namespace mazurka {
namespace {

// What the kernel does, past libc: its calls may be caught (watched_calls.cc), and come back to us.
ssize_t kernel(long number, long a, long b, long c, long d = 0, long e = 0, long f = 0) {
  return with_errno(program_syscall(number, a, b, c, d, e, f));
}
ssize_t kernel_read(int fd, void* bytes, size_t count) {
  return kernel(SYS_read, fd, address_of(bytes), static_cast<long>(count));
}
ssize_t kernel_write(int fd, const void* bytes, size_t count) {
  const ssize_t written = kernel(SYS_write, fd, address_of(bytes), static_cast<long>(count));
  show_data(bytes, written);
  return written;
}
ssize_t kernel_receive(int fd, void* bytes, size_t count, int flags, sockaddr* from,
                       socklen_t* length) {
  return kernel(SYS_recvfrom, fd, address_of(bytes), static_cast<long>(count), flags,
                address_of(from), address_of(length));
}
ssize_t kernel_send(int fd, const void* bytes, size_t count, int flags, const sockaddr* to,
                    socklen_t length) {
  const ssize_t written = kernel(SYS_sendto, fd, address_of(bytes), static_cast<long>(count), flags,
                                 address_of(to), length);
  show_data(bytes, written);
  return written;
}

// --- eventfds: a number of eight bytes

bool is_counter(int fd) {
  const Description& description = world().object(description_of(fd)).description;
  return description.reads != kNoObject &&
         world().object(description.reads).channel.form == Channel::Form::Counter;
}

ssize_t read_counter(int fd, void* bytes, size_t count, Call call) {
  const auto real = [=](size_t, size_t) { return kernel_read(fd, bytes, count); };
  if (count < sizeof(uint64_t)) return real(0, 0);
  return read_channel({.fd = fd, .count = 1}, kernel_call(real), call);
}

ssize_t write_counter(int fd, const void* bytes, size_t count, Call call) {
  const auto real = [=](size_t, size_t) { return kernel_write(fd, bytes, count); };
  uint64_t added = 0;
  if (count >= sizeof added) memcpy(&added, bytes, sizeof added);
  if (added == 0 || added == UINT64_MAX) return real(0, 0);  // an error, or nothing to add
  if (added > static_cast<uint64_t>(kMostCounted)) {
    give_up_model(description_of(fd), "an eventfd that counts beyond 2^63", call);
    return real(0, 0);
  }
  return write_channel({.fd = fd, .count = added}, kernel_call(real), call);
}

// --- parts in memory

size_t length_of(const iovec* parts, size_t count) {
  size_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += parts[i].iov_len;
  return sum;
}

// `count` bytes of the parts, after the first `done`. Returns how many parts these are.
size_t window(const iovec* parts, size_t part_count, size_t done, size_t count, iovec* to) {
  size_t used = 0;
  for (size_t i = 0; i < part_count && count > 0; ++i) {
    const size_t skipped = done < parts[i].iov_len ? done : parts[i].iov_len;
    done -= skipped;
    size_t length = parts[i].iov_len - skipped;
    if (length > count) length = count;
    if (length == 0) continue;
    to[used++] = {static_cast<char*>(parts[i].iov_base) + skipped, length};
    count -= length;
  }
  return used;
}

bool are_valid(const iovec* parts, size_t count) {
  return parts != nullptr && count > 0 && count <= IOV_MAX;
}

// --- flags of messages

Transfer transfer(int fd, size_t count, int flags) {
  Transfer wanted{.fd = fd, .count = count, .can_be_partial = true};
  if (flags & MSG_DONTWAIT) wanted.flags |= kTry;
  if (flags & MSG_PEEK) wanted.flags |= kPeek;
  wanted.waits_for_all = (flags & MSG_WAITALL) != 0 && (flags & (MSG_PEEK | MSG_DONTWAIT)) == 0;
  wanted.no_signal = (flags & MSG_NOSIGNAL) != 0;
  return wanted;
}

// The model has seen to it that there is no need to wait.
int without_waiting(int flags) { return (flags & ~MSG_WAITALL) | MSG_DONTWAIT; }

// Flags that change what happens, and that no model has.
void name_flags_of_send(int fd, int flags, Call call) {
  if ((flags & MSG_OOB) != 0 && !is_for_datagrams(fd))  // an error there
    give_up_model(description_of(fd), "out-of-band data (MSG_OOB)", call);
  if (flags & MSG_FASTOPEN) name_unmodelled("send with MSG_FASTOPEN", call);
  if (flags & MSG_ZEROCOPY) name_unmodelled("send with MSG_ZEROCOPY", call);
  if ((flags & MSG_MORE) != 0 && is_for_datagrams(fd))
    name_unmodelled("MSG_MORE on a socket for datagrams", call);
}

// TCP throws the bytes away then.
void name_flags_of_receive(int fd, int flags, Call call) {
  const SocketRecord* const record = socket_record_of(fd);
  const bool is_tcp = record != nullptr && is_internet(*record) && !is_for_datagrams(fd);
  if ((flags & MSG_TRUNC) != 0 && is_tcp) name_unmodelled("MSG_TRUNC on a stream", call);
}

// One part of memory as a message, for datagrams.
struct OneMessage {
  iovec part;
  msghdr header{};

  OneMessage(const void* bytes, size_t count, const sockaddr* name, socklen_t length)
      : part{const_cast<void*>(bytes), count} {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_name = const_cast<sockaddr*>(name);
    header.msg_namelen = length;
  }
  OneMessage(const iovec* parts, size_t count) : part{} {
    header.msg_iov = const_cast<iovec*>(parts);
    header.msg_iovlen = count;
  }
  msghdr* get() { return &header; }
};

bool passes_descriptors(const msghdr* message) {
  for (cmsghdr* part = CMSG_FIRSTHDR(message); part != nullptr;
       part = CMSG_NXTHDR(const_cast<msghdr*>(message), part)) {
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS) return true;
  }
  return false;
}

// What is passed gets a number of the kernel's choice where it is received, and no model.
void give_up_passed(const msghdr* message, Call call) {
  name_unmodelled("descriptors passed over a socket (SCM_RIGHTS)", call);
  for (cmsghdr* part = CMSG_FIRSTHDR(message); part != nullptr;
       part = CMSG_NXTHDR(const_cast<msghdr*>(message), part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd = -1;
      memcpy(&fd, CMSG_DATA(part) + i * sizeof fd, sizeof fd);
      const ObjectId passed = description_of(fd);
      if (passed != kNoObject)
        give_up_model(passed, "a pipe or socket that was passed over a socket", call);
    }
  }
}

}  // namespace

ssize_t channel_read(int fd, void* bytes, size_t count, Call call) {
  if (is_counter(fd)) return read_counter(fd, bytes, count, call);
  if (is_for_datagrams(fd))
    return receive_datagram(fd, OneMessage(bytes, count, nullptr, 0).get(), 0, call);
  const auto real = [=](size_t done, size_t n) {
    return kernel_read(fd, static_cast<char*>(bytes) + done, n);
  };
  return read_channel({.fd = fd, .count = count, .can_be_partial = true}, kernel_call(real), call);
}

ssize_t channel_write(int fd, const void* bytes, size_t count, Call call) {
  if (is_counter(fd)) return write_counter(fd, bytes, count, call);
  if (is_for_datagrams(fd))
    return send_datagram(fd, OneMessage(bytes, count, nullptr, 0).get(), 0, call);
  const auto real = [=](size_t done, size_t n) {
    return kernel_write(fd, static_cast<const char*>(bytes) + done, n);
  };
  return write_channel({.fd = fd, .count = count, .can_be_partial = true}, kernel_call(real), call);
}

ssize_t channel_readv(int fd, const iovec* parts, int count, Call call) {
  const auto length = static_cast<size_t>(count);
  if (!are_valid(parts, length)) return kernel(SYS_readv, fd, address_of(parts), count);
  if (is_counter(fd)) return read_counter(fd, parts[0].iov_base, parts[0].iov_len, call);
  if (is_for_datagrams(fd)) return receive_datagram(fd, OneMessage(parts, length).get(), 0, call);
  const auto real = [=](size_t, size_t) { return kernel(SYS_readv, fd, address_of(parts), count); };
  return read_channel({.fd = fd, .count = length_of(parts, length)}, kernel_call(real), call);
}

ssize_t channel_writev(int fd, const iovec* parts, int count, Call call) {
  const auto length = static_cast<size_t>(count);
  if (!are_valid(parts, length)) return kernel(SYS_writev, fd, address_of(parts), count);
  if (is_counter(fd)) return write_counter(fd, parts[0].iov_base, parts[0].iov_len, call);
  if (is_for_datagrams(fd)) return send_datagram(fd, OneMessage(parts, length).get(), 0, call);
  auto* const some = static_cast<iovec*>(__builtin_alloca(length * sizeof(iovec)));
  const auto real = [=](size_t done, size_t n) {
    const size_t used = window(parts, length, done, n, some);
    const ssize_t written = kernel(SYS_writev, fd, address_of(some), static_cast<long>(used));
    show_data(some, used, written);
    return written;
  };
  return write_channel({.fd = fd, .count = length_of(parts, length)}, kernel_call(real), call);
}

namespace {

ssize_t receive_datagram_from(int fd, void* bytes, size_t count, int flags, sockaddr* from,
                              socklen_t* length, Call call) {
  OneMessage message(bytes, count, length == nullptr ? nullptr : from,
                     length == nullptr ? 0 : *length);
  const ssize_t received = receive_datagram(fd, &message.header, flags, call);
  if (received >= 0 && from != nullptr && length != nullptr) *length = message.header.msg_namelen;
  return received;
}

// A stream of TCP tells no address; one of the UNIX domain that of its peer.
void tell_sender(int fd, ssize_t received, sockaddr* from, socklen_t* length) {
  const SocketRecord* const record = socket_record_of(fd);
  if (received < 0 || record == nullptr || from == nullptr || length == nullptr) return;
  if (is_internet(*record)) {
    *length = 0;
  } else {
    give_address(record->peer, from, length);
  }
}

}  // namespace

ssize_t channel_receive(int fd, void* bytes, size_t count, int flags, sockaddr* from,
                        socklen_t* length, Call call) {
  name_flags_of_receive(fd, flags, call);
  if (is_for_datagrams(fd))
    return receive_datagram_from(fd, bytes, count, flags, from, length, call);
  if (flags & (MSG_OOB | MSG_ERRQUEUE))
    return kernel_receive(fd, bytes, count, flags | MSG_DONTWAIT, from, length);
  const bool is_named = socket_record_of(fd) != nullptr;
  const auto real = [=](size_t done, size_t n) {
    return kernel_receive(fd, static_cast<char*>(bytes) + done, n, without_waiting(flags),
                          is_named ? nullptr : from, is_named ? nullptr : length);
  };
  const ssize_t received = read_channel(transfer(fd, count, flags), kernel_call(real), call);
  tell_sender(fd, received, from, length);
  return received;
}

ssize_t channel_send(int fd, const void* bytes, size_t count, int flags, const sockaddr* to,
                     socklen_t length, Call call) {
  name_flags_of_send(fd, flags, call);
  if (is_for_datagrams(fd))
    return send_datagram(fd, OneMessage(bytes, count, to, length).get(), flags, call);
  const SocketRecord* const record = socket_record_of(fd);
  if (record != nullptr && is_internet(*record)) to = nullptr;  // TCP does not look at it
  const auto real = [=](size_t done, size_t n) {
    return kernel_send(fd, static_cast<const char*>(bytes) + done, n, flags | MSG_DONTWAIT, to,
                       length);
  };
  if (to != nullptr || (flags & MSG_OOB)) return real(0, count);  // they are connected: an error
  return write_channel(transfer(fd, count, flags), kernel_call(real), call);
}

ssize_t channel_receive_message(int fd, msghdr* message, int flags, Call call) {
  name_flags_of_receive(fd, flags, call);
  if (is_for_datagrams(fd)) return receive_datagram(fd, message, flags, call);
  const bool is_named = socket_record_of(fd) != nullptr;
  const auto real = [=](size_t, size_t) {
    msghdr asked = *message;
    if (is_named) asked.msg_name = nullptr, asked.msg_namelen = 0;
    const ssize_t received = kernel(SYS_recvmsg, fd, address_of(&asked), without_waiting(flags));
    message->msg_flags = asked.msg_flags;
    message->msg_controllen = asked.msg_controllen;
    if (!is_named) message->msg_namelen = asked.msg_namelen;
    return received;
  };
  if ((flags & (MSG_OOB | MSG_ERRQUEUE)) || !are_valid(message->msg_iov, message->msg_iovlen))
    return real(0, 0);
  Transfer wanted = transfer(fd, length_of(message->msg_iov, message->msg_iovlen), flags);
  if (wanted.waits_for_all) name_unmodelled("recvmsg with MSG_WAITALL", call);
  wanted.waits_for_all = wanted.can_be_partial = false;
  const ssize_t received = read_channel(wanted, kernel_call(real), call);
  tell_sender(fd, received, static_cast<sockaddr*>(message->msg_name), &message->msg_namelen);
  return received;
}

ssize_t channel_send_message(int fd, const msghdr* message, int flags, Call call) {
  if (passes_descriptors(message)) give_up_passed(message, call);
  name_flags_of_send(fd, flags, call);
  if (is_for_datagrams(fd)) return send_datagram(fd, message, flags, call);
  const size_t parts = message->msg_iovlen;
  const SocketRecord* const record = socket_record_of(fd);
  const bool ignores_name = record != nullptr && is_internet(*record);
  if ((message->msg_name != nullptr && !ignores_name) || !are_valid(message->msg_iov, parts))
    return kernel(SYS_sendmsg, fd, address_of(message), flags | MSG_DONTWAIT);
  if (flags & MSG_OOB) return kernel(SYS_sendmsg, fd, address_of(message), flags | MSG_DONTWAIT);
  auto* const some = static_cast<iovec*>(__builtin_alloca(parts * sizeof(iovec)));
  const auto real = [=](size_t done, size_t n) {
    msghdr rest = *message;
    rest.msg_iov = some;
    if (ignores_name) rest.msg_name = nullptr, rest.msg_namelen = 0;
    rest.msg_iovlen = window(message->msg_iov, parts, done, n, some);
    if (done > 0) rest.msg_control = nullptr, rest.msg_controllen = 0;
    const ssize_t written = kernel(SYS_sendmsg, fd, address_of(&rest), flags | MSG_DONTWAIT);
    show_data(some, rest.msg_iovlen, written);
    return written;
  };
  return write_channel(transfer(fd, length_of(message->msg_iov, parts), flags), kernel_call(real),
                       call);
}

int channel_receive_messages(int fd, mmsghdr* messages, unsigned count, int flags,
                             const timespec* timeout, Call call) {
  if (timeout != nullptr) name_unmodelled("recvmmsg with a timeout", call);
  for (unsigned i = 0; i < count; ++i) {
    const ssize_t length =
        channel_receive_message(fd, &messages[i].msg_hdr, flags & ~MSG_WAITFORONE, call);
    if (length < 0) return i > 0 ? static_cast<int>(i) : -1;
    messages[i].msg_len = static_cast<unsigned>(length);
    if (flags & MSG_WAITFORONE) flags |= MSG_DONTWAIT;
  }
  return static_cast<int>(count);
}

int channel_send_messages(int fd, mmsghdr* messages, unsigned count, int flags, Call call) {
  for (unsigned i = 0; i < count; ++i) {
    const ssize_t length = channel_send_message(fd, &messages[i].msg_hdr, flags, call);
    if (length < 0) return i > 0 ? static_cast<int>(i) : -1;
    messages[i].msg_len = static_cast<unsigned>(length);
  }
  return static_cast<int>(count);
}

}  // namespace mazurka
