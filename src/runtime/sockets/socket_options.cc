// Options of sockets. Those of sockets that have a model are kept beside it: the kernel's sockets
// behind them are of another family. What an option would change is modelled for few of them
// (docs/communication.md).
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/channels/descriptors.h"
#include "runtime/core/failure.h"
#include "runtime/sockets/known_options.h"
#include "runtime/sockets/sockets.h"

namespace mazurka {
namespace {

SocketOption* find_option(SocketRecord& record, int level, int name) {
  for (uint32_t i = 0; i < record.option_count; ++i) {
    if (record.options[i].level == level && record.options[i].name == name)
      return &record.options[i];
  }
  return nullptr;
}

void remember_option(SocketRecord& record, int level, int name, const void* value,
                     socklen_t length) {
  SocketOption* option = find_option(record, level, name);
  if (option == nullptr) {
    if (record.option_count == SocketRecord::kMaxOptions)
      runtime_error("the program sets more than 12 options of a socket");
    option = &record.options[record.option_count++];
  }
  *option = {level,
             name,
             length < sizeof option->value ? length : static_cast<socklen_t>(sizeof option->value),
             {}};
  memcpy(option->value, value, option->length);
}

// Closing would throw away what was not sent, and reset the connection.
bool resets_on_close(int level, int name, const void* value, socklen_t length) {
  linger wanted{};
  if (level != SOL_SOCKET || name != SO_LINGER || length < sizeof wanted) return false;
  memcpy(&wanted, value, sizeof wanted);
  return wanted.l_onoff != 0 && wanted.l_linger == 0;
}

bool is_timeout(int level, int name) {
  return level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO);
}

// What it would change, no model knows. Switching off what nobody has switched on changes nothing.
void name_option(int level, int name, const void* value, socklen_t length, Call call) {
  int number = 0;
  memcpy(&number, value, length < sizeof number ? length : sizeof number);
  if (is_small_buffer(level, name, value, length))
    name_unmodelled("SO_SNDBUF or SO_RCVBUF of less than 32 KB", call);
  if (is_known_option(level, name) || number == 0) return;
  char text[64];
  snprintf(text, sizeof text, "setsockopt with the option %d of level %d", name, level);
  name_unmodelled(text, call);
}

// A pair of sockets: the kernel knows what is an error. The sizes of its buffers stay what the
// model needs.
int set_option_of_pair(int fd, int level, int name, const void* value, socklen_t length,
                       Call call) {
  if (is_timeout(level, name)) name_unmodelled("a timeout of a socket", call);
  const bool is_size = level == SOL_SOCKET && (name == SO_SNDBUF || name == SO_RCVBUF ||
                                               name == SO_SNDBUFFORCE || name == SO_RCVBUFFORCE);
  const int result = is_size && value != nullptr && length >= sizeof(int)
                         ? 0
                         : REAL(setsockopt)(fd, level, name, value, length);
  if (result == 0) name_option(level, name, value, length, call);
  return result;
}

int set_option(SocketRecord& record, int level, int name, const void* value, socklen_t length,
               Call call) {
  if (value == nullptr) return fail(EFAULT);
  if (!is_internet(record) && level != SOL_SOCKET) return fail(EOPNOTSUPP);
  int number = 0;
  memcpy(&number, value, length < sizeof number ? length : sizeof number);
  if (level == SOL_SOCKET && name == SO_REUSEADDR) record.reuses = number != 0;
  if (level == IPPROTO_IPV6 && name == IPV6_V6ONLY) record.only_ip6 = number != 0;
  if (level == SOL_SOCKET && name == SO_REUSEPORT && number != 0)
    name_unmodelled("SO_REUSEPORT", call);
  if (resets_on_close(level, name, value, length))
    name_unmodelled("SO_LINGER with a time of 0", call);
  if (is_timeout(level, name)) name_unmodelled("a timeout of a socket", call);
  name_option(level, name, value, length, call);
  remember_option(record, level, name, value, length);
  return 0;
}

// Looking takes the error away.
int take_error(ObjectId description, Call call) {
  const Operation op{.kind = OpKind::DescriptionSet,
                     .object = description,
                     .value = static_cast<int64_t>(DescriptionChange::TakeError)};
  return static_cast<int>(reach(op, call).value);
}

bool is_known_number(const SocketRecord& record, int name, int& number, Call call) {
  switch (name) {
    case SO_ERROR:
      number = take_error(record.description, call);
      return true;
    case SO_TYPE:
      number = record.type;
      return true;
    case SO_DOMAIN:
      number = record.domain;
      return true;
    case SO_PROTOCOL:
      number = !is_internet(record) ? 0 : record.type == SOCK_DGRAM ? IPPROTO_UDP : IPPROTO_TCP;
      return true;
    case SO_ACCEPTCONN:
      number = world().object(record.description).description.stage == SocketStage::Listening;
      return true;
    default:
      return false;
  }
}

// Processes are known by their virtual numbers.
void name_peer(ucred& peer) {
  const Segment& s = segment();
  for (uint32_t i = 0; i < s.world.thread_limit; ++i) {
    if (s.processes[i].real_pid == peer.pid && peer.pid > 0) {
      peer.pid = virtual_pid(ThreadId(i));
      return;
    }
  }
}

int give_option(const void* from, socklen_t count, void* value, socklen_t* length) {
  if (*length > count) *length = count;
  memcpy(value, from, *length);
  return 0;
}

int get_option(int fd, SocketRecord& record, int level, int name, void* value, socklen_t* length,
               Call call) {
  if (value == nullptr || length == nullptr) return fail(EFAULT);
  int number = 0;
  if (level == SOL_SOCKET && is_known_number(record, name, number, call))
    return give_option(&number, sizeof number, value, length);
  if (const SocketOption* const known = find_option(record, level, name))
    return give_option(known->value, known->length, value, length);
  if (level == SOL_SOCKET) {
    const int result = REAL(getsockopt)(fd, level, name, value, length);
    if (result == 0 && name == SO_PEERCRED && *length == sizeof(ucred))
      name_peer(*static_cast<ucred*>(value));
    return result;
  }
  if (level == IPPROTO_TCP && name == TCP_INFO) name_unmodelled("TCP_INFO", call);
  return is_internet(record) ? give_option(&number, sizeof number, value, length)
                             : fail(EOPNOTSUPP);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int setsockopt(int fd, int level, int name, const void* value,
                              socklen_t length) noexcept {
  if (!attached()) return REAL(setsockopt)(fd, level, name, value, length);
  if (SocketRecord* const record = socket_record_of(fd))
    return set_option(*record, level, name, value, length, MAZURKA_HERE);
  if (description_of(fd) != kNoObject)
    return set_option_of_pair(fd, level, name, value, length, MAZURKA_HERE);
  return REAL(setsockopt)(fd, level, name, value, length);
}

MAZURKA_EXPORT int getsockopt(int fd, int level, int name, void* __restrict value,
                              socklen_t* __restrict length) noexcept {
  SocketRecord* const record = attached() ? socket_record_of(fd) : nullptr;
  if (record == nullptr) return REAL(getsockopt)(fd, level, name, value, length);
  return get_option(fd, *record, level, name, value, length, MAZURKA_HERE);
}
