#include "runtime/sockets/datagram_calls.h"

#include <limits.h>
#include <netinet/in.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

#include "execution/channel_options.h"
#include "runtime/channels/descriptors.h"
#include "runtime/channels/shown_data.h"
#include "runtime/core/raw.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/sockets/sockets.h"

namespace mazurka {
namespace {

constexpr size_t kMostBytes = 65507;  // of UDP

// Goes before the program's bytes: who sent them.
struct Header {
  ObjectId sender;
};

ssize_t fail(int error) {
  errno = error;
  return -1;
}

const Description& at(ObjectId id) { return world().object(id).description; }

size_t length_of(const msghdr& message) {
  size_t sum = 0;
  for (size_t i = 0; i < message.msg_iovlen; ++i) sum += message.msg_iov[i].iov_len;
  return sum;
}

bool is_lossy(const SocketRecord& record) {
  if (is_internet(record) && segment().control.lossy_udp == 0)
    segment().control.unasked |= kUnaskedLossy;
  return is_internet(record) && segment().control.lossy_udp != 0;
}

// --- sending

// Where it goes. Returns an errno value.
int find_destination(const SocketRecord& record, const msghdr& message, SocketName& found) {
  if (message.msg_name != nullptr) {
    auto* const address = static_cast<sockaddr*>(message.msg_name);
    if (const int error = find_name(record, address, message.msg_namelen, found)) return error;
    if (found.host == kAnyHost4 && is_internet(record)) found.host = INADDR_LOOPBACK;
    if (found.host == kAnyHost || found.host == kAnyHost6) found.host = kLoopback6;
    return 0;
  }
  found.address = at(record.description).peer;
  found.host = at(record.description).peer_host;
  if (found.address != kNoObject) return 0;
  return is_internet(record) ? EDESTADDRREQ : ENOTCONN;
}

// The kernel's socket of the receiver gets it at once.
void carry(int fd, const msghdr& message, ObjectId from, ObjectId to) {
  Header header{from};
  auto* const parts =
      static_cast<iovec*>(__builtin_alloca((message.msg_iovlen + 1) * sizeof(iovec)));
  parts[0] = {&header, sizeof header};
  for (size_t i = 0; i < message.msg_iovlen; ++i) parts[i + 1] = message.msg_iov[i];
  CarrierName name = carrier_name(to);
  msghdr whole{};
  whole.msg_name = name.address();
  whole.msg_namelen = name.length;
  whole.msg_iov = parts;
  whole.msg_iovlen = message.msg_iovlen + 1;
  const long sent =
      program_syscall(SYS_sendmsg, fd, address_of(&whole), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (raw_failed(sent)) runtime_error("a datagram of the program cannot be sent");
}

void name_loss(const SocketName& to, ObjectId sender, uint8_t flags, Call call) {
  const bool was_full = receiver_at(world(), to.address, to.host, sender) != kNoObject;
  if (was_full && (flags & kLossy) == 0)
    name_unmodelled("a datagram to a socket of UDP that has eleven unread (it was lost)", call);
}

int check(const SocketRecord& record, const msghdr& message, int flags) {
  if (flags & MSG_OOB) return EOPNOTSUPP;
  if (message.msg_iovlen > IOV_MAX - 1) return EMSGSIZE;
  if (is_internet(record) && length_of(message) > kMostBytes) return EMSGSIZE;
  return 0;
}

ssize_t send_outside(int fd, SocketRecord& record, const msghdr* message, int flags, Call call) {
  go_outside(record, "a datagram to somebody outside of the program", call);
  return REAL(sendmsg)(fd, message, flags);
}

// --- receiving

// From where it came, as the receiver sees it.
void tell_sender(const SocketRecord& receiver, ObjectId sender, msghdr& message) {
  if (message.msg_name == nullptr) return;
  StoredAddress from = socket_record(sender)->local;
  if (is_internet(receiver)) {
    set_loopback_if_any(reinterpret_cast<sockaddr*>(from.bytes));
  } else if (from.length == sizeof(sa_family_t)) {
    from.length = 0;  // it has no name
  }
  give_address(from, static_cast<sockaddr*>(message.msg_name), &message.msg_namelen);
}

ssize_t take_first(int fd, const SocketRecord& record, msghdr* message, int flags) {
  Header header{};
  auto* const parts =
      static_cast<iovec*>(__builtin_alloca((message->msg_iovlen + 1) * sizeof(iovec)));
  parts[0] = {&header, sizeof header};
  for (size_t i = 0; i < message->msg_iovlen; ++i) parts[i + 1] = message->msg_iov[i];
  msghdr whole = *message;
  whole.msg_name = nullptr;
  whole.msg_namelen = 0;
  whole.msg_iov = parts;
  whole.msg_iovlen = message->msg_iovlen + 1;
  const long received =
      program_syscall(SYS_recvmsg, fd, address_of(&whole), (flags & ~MSG_WAITALL) | MSG_DONTWAIT);
  if (raw_failed(received)) runtime_error("a datagram of the program cannot be received");
  message->msg_flags = whole.msg_flags;
  message->msg_controllen = whole.msg_controllen;
  tell_sender(record, header.sender, *message);
  return static_cast<ssize_t>(received) - static_cast<ssize_t>(sizeof header);
}

// Those before it go to the end of the queue, and so do those after it: all but it keep their
// order.
void send_to_end(int fd, ObjectId receiver, uint32_t count) {
  static char bytes[kMostBytes + sizeof(Header)];
  CarrierName name = carrier_name(receiver);
  for (uint32_t i = 0; i < count; ++i) {
    const long length =
        program_syscall(SYS_recvfrom, fd, address_of(bytes), sizeof bytes, MSG_DONTWAIT, 0, 0);
    const long sent = raw_failed(length)
                          ? length
                          : program_syscall(SYS_sendto, fd, address_of(bytes), length, MSG_DONTWAIT,
                                            address_of(name.address()), name.length);
    if (raw_failed(sent))
      runtime_error("the datagrams of the program cannot be put in another order");
  }
}

ssize_t take_datagram(int fd, const SocketRecord& record, msghdr* message, int flags,
                      uint32_t place) {
  const uint32_t left = world().object(at(record.description).reads).channel.used;
  send_to_end(fd, record.description, place);
  const ssize_t length = take_first(fd, record, message, flags);
  if (place > 0) send_to_end(fd, record.description, left - place);
  return length;
}

}  // namespace

bool is_for_datagrams(int fd) {
  const ObjectId description = description_of(fd);
  return description != kNoObject && at(description).stage == SocketStage::Datagrams;
}

ssize_t send_datagram(int fd, const msghdr* message, int flags, Call call) {
  SocketRecord& record = *socket_record_of(fd);
  SocketName to;
  int error = check(record, *message, flags);
  if (error == 0) error = find_destination(record, *message, to);
  if (error == 0 && !to.is_outside) error = bind_if_needed(record, call);
  if (error != 0) return fail(error);
  if (to.is_outside || is_real_file(to.path)) return send_outside(fd, record, message, flags, call);
  const auto op_flags =
      static_cast<uint8_t>(((flags & MSG_DONTWAIT) ? kTry : 0) | (is_lossy(record) ? kLossy : 0));
  const size_t length = length_of(*message);
  const Effect effect = reach({.kind = OpKind::DatagramSend,
                               .flags = op_flags,
                               .object = to.address,
                               .second = record.description,
                               .value = static_cast<int64_t>(length),
                               .desired = datagram_flags(to.host, to.flags)},
                              call);
  if (effect.error != 0) return fail(effect.error);
  show_data(message->msg_iov, message->msg_iovlen, static_cast<ssize_t>(length));
  if (effect.value >= 0) {
    carry(fd, *message, record.description, ObjectId(static_cast<uint32_t>(effect.value)));
  } else {
    name_loss(to, record.description, op_flags, call);
  }
  return static_cast<ssize_t>(length);
}

ssize_t receive_datagram(int fd, msghdr* message, int flags, Call call) {
  const SocketRecord& record = *socket_record_of(fd);
  if (flags & (MSG_OOB | MSG_ERRQUEUE)) return fail(EAGAIN);
  const bool peeks = (flags & MSG_PEEK) != 0;
  const auto op_flags =
      static_cast<uint8_t>(((flags & MSG_DONTWAIT) ? kTry : 0) | (peeks ? kPeek : 0) |
                           (is_lossy(record) && !peeks ? kLossy : 0));
  const Effect effect = reach({.kind = OpKind::ChannelRead,
                               .flags = op_flags,
                               .object = at(record.description).reads,
                               .second = record.description,
                               .value = static_cast<int64_t>(length_of(*message))},
                              call);
  if (effect.error != 0) return fail(effect.error);
  return take_datagram(fd, record, message, flags,
                       (op_flags & kLossy) ? static_cast<uint32_t>(effect.value) : 0);
}

}  // namespace mazurka
