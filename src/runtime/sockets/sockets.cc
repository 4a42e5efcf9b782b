#include "runtime/sockets/sockets.h"

#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/check.h"
#include "runtime/channels/descriptors.h"
#include "runtime/core/limits.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/files/file_syscalls.h"
#include "runtime/reset/kernel_effects.h"

namespace mazurka {
namespace {

constexpr uint64_t kSpace = 0x736f'636b;  // "sock"
constexpr uint16_t kFirstFreePort = 32768;
constexpr uint32_t kFreePorts = 28232;

ObjectId named_address(const char* text) {
  return object_by_name(text, kSpace, ObjectKind::Address, Storage::Name);
}

bool is_loopback(uint32_t host) { return host >> 24 == 127; }

// Requires an address of IPv6.
bool find_host6(const SocketRecord& record, const in6_addr& address, uint32_t& host) {
  if (IN6_IS_ADDR_V4MAPPED(&address)) {
    memcpy(&host, &address.s6_addr[12], sizeof host);
    host = ntohl(host);
    return host == 0 || is_loopback(host);
  }
  if (IN6_IS_ADDR_UNSPECIFIED(&address)) host = record.only_ip6 ? kAnyHost6 : kAnyHost;
  if (IN6_IS_ADDR_LOOPBACK(&address)) host = kLoopback6;
  return IN6_IS_ADDR_UNSPECIFIED(&address) || IN6_IS_ADDR_LOOPBACK(&address);
}

int find_internet(const SocketRecord& record, const sockaddr* address, socklen_t length,
                  SocketName& found) {
  const size_t needed = record.domain == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  if (length < needed) return EINVAL;
  if (address->sa_family != record.domain) return EAFNOSUPPORT;
  if (record.domain == AF_INET) {
    found.host = ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr);
    found.is_outside = found.host != INADDR_ANY && !is_loopback(found.host);
  } else {
    found.is_outside =
        !find_host6(record, reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, found.host);
  }
  if (found.is_outside) return 0;
  char text[32];
  snprintf(text, sizeof text, "%s port %u", record.type == SOCK_DGRAM ? "UDP" : "TCP",
           port_of(address));
  found.address = named_address(text);
  return 0;
}

// Bytes of an abstract name as text: what cannot be shown is told by its number.
void show_abstract(const char* bytes, size_t count, char* text, size_t room) {
  size_t used = static_cast<size_t>(snprintf(text, room, "socket @"));
  for (size_t i = 0; i < count && used + 5 < room; ++i) {
    const bool plain = bytes[i] > ' ' && bytes[i] < 127 && bytes[i] != '\\';
    used += static_cast<size_t>(snprintf(text + used, room - used, plain ? "%c" : "\\x%02x",
                                         static_cast<unsigned char>(bytes[i])));
  }
}

int find_local(const sockaddr* address, socklen_t length, SocketName& found) {
  constexpr size_t kStart = offsetof(sockaddr_un, sun_path);
  if (length <= kStart || length > sizeof(sockaddr_un)) return EINVAL;
  if (address->sa_family != AF_UNIX) return EINVAL;
  const char* const path = reinterpret_cast<const sockaddr_un*>(address)->sun_path;
  if (path[0] == '\0') {
    char text[512];
    show_abstract(path + 1, length - kStart - 1, text, sizeof text);
    found.address = named_address(text);
    return 0;
  }
  static char kept[sizeof(sockaddr_un)];  // it need not end with a zero
  memset(kept, 0, sizeof kept);
  memcpy(kept, path, length - kStart);
  found.path = kept;
  found.flags = kIsFile;
  found.address = address_of_path(kept);
  return 0;
}

// The directory as the kernel knows it. False: there is none.
bool find_directory(const char* path, size_t length, char* text, size_t room) {
  char directory[PATH_MAX] = ".";
  if (length >= sizeof directory) return false;
  if (length > 0) memcpy(directory, path, length), directory[length] = '\0';
  const long fd =
      raw_syscall(SYS_openat, AT_FDCWD, address_of(directory), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (raw_failed(fd)) return false;
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%ld", fd);
  const long count =
      raw_syscall(SYS_readlink, address_of(link), address_of(text), static_cast<long>(room - 1));
  raw_syscall(SYS_close, fd);
  if (raw_failed(count)) return false;
  text[count] = '\0';
  return true;
}

}  // namespace

SocketRecord* socket_record(ObjectId description) {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.socket_count; ++i) {
    if (s.sockets[i].description == description) return &s.sockets[i];
  }
  return nullptr;
}

SocketRecord* socket_record_of(int fd) {
  const ObjectId description = description_of(fd);
  return description == kNoObject ? nullptr : socket_record(description);
}

SocketRecord& add_socket_record(ObjectId description) {
  Segment& s = segment();
  if (s.socket_count == kMaxSockets) limit_reached("the program makes more than 1024 sockets");
  SocketRecord& record = s.sockets[s.socket_count++];
  record = {};
  record.description = description;
  return record;
}

bool is_internet(const SocketRecord& record) { return record.domain != AF_UNIX; }

int find_name(const SocketRecord& record, const sockaddr* address, socklen_t length,
              SocketName& found) {
  if (address == nullptr) return EFAULT;
  if (length < sizeof address->sa_family) return EINVAL;
  return is_internet(record) ? find_internet(record, address, length, found)
                             : find_local(address, length, found);
}

ObjectId address_of_path(const char* path) {
  const char* const slash = strrchr(path, '/');
  const size_t length = slash == nullptr ? 0
                        : slash == path  ? 1
                                         : static_cast<size_t>(slash - path);
  char text[PATH_MAX + 128];
  if (!find_directory(path, length, text, PATH_MAX)) text[0] = '\0';
  strncat(text, "/", 2);
  strncat(text, slash == nullptr ? path : slash + 1, 120);
  return named_address(text);
}

bool is_real_file(const char* path) {
  struct stat status {};
  if (path != nullptr && uses_private_files()) return file_exists(path);
  return path != nullptr && !raw_failed(program_syscall(SYS_newfstatat, AT_FDCWD, address_of(path),
                                                        address_of(&status), AT_SYMLINK_NOFOLLOW));
}

bool may_have_name(const char* path) {
  if (!state.scheduling) return false;
  if (!world().alone(current_thread())) return true;
  return world().object(address_of_path(path)).address.is_file;
}

bool unlink_address(const char* path, int& result, Call call) {
  if (path == nullptr || !has_private_addresses() || is_real_file(path)) return false;
  Effect effect{.error = ENOENT};
  if (may_have_name(path))
    effect = reach({.kind = OpKind::AddressUnlink, .object = address_of_path(path)}, call);
  if (effect.error == ENOENT && uses_private_files()) return false;
  result = effect.error == 0 ? 0 : -1;
  if (effect.error != 0) errno = effect.error;
  return true;
}

uint16_t free_port(const SocketRecord& record, uint32_t n) {
  return static_cast<uint16_t>(kFirstFreePort + (record.birth + n * 997) % kFreePorts);
}

uint16_t port_of(const sockaddr* address) {
  if (address->sa_family == AF_INET)
    return ntohs(reinterpret_cast<const sockaddr_in*>(address)->sin_port);
  return ntohs(reinterpret_cast<const sockaddr_in6*>(address)->sin6_port);
}

void set_port(sockaddr* address, uint16_t port) {
  if (address->sa_family == AF_INET) {
    reinterpret_cast<sockaddr_in*>(address)->sin_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in6*>(address)->sin6_port = htons(port);
  }
}

void set_loopback_if_any(sockaddr* address) {
  auto* const ip4 = reinterpret_cast<sockaddr_in*>(address);
  auto* const ip6 = reinterpret_cast<sockaddr_in6*>(address);
  if (address->sa_family == AF_INET && ip4->sin_addr.s_addr == INADDR_ANY)
    ip4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (address->sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&ip6->sin6_addr))
    ip6->sin6_addr = in6addr_loopback;
}

void remember_address(StoredAddress& to, const sockaddr* address, socklen_t length) {
  to = {};
  to.length = length < sizeof to.bytes ? length : sizeof to.bytes;
  memcpy(to.bytes, address, to.length);
}

void give_address(const StoredAddress& from, sockaddr* address, socklen_t* length) {
  MAZURKA_CHECK(address != nullptr && length != nullptr);
  memcpy(address, from.bytes, *length < from.length ? *length : from.length);
  *length = from.length;
}

void make_carrier_roomy(int fd) {
  constexpr int kRoom = 212992;  // the kernel doubles it
  REAL(setsockopt)(fd, SOL_SOCKET, SO_SNDBUF, &kRoom, sizeof kRoom);
}

CarrierName carrier_name(ObjectId description) {
  CarrierName name;
  auto* const to = reinterpret_cast<sockaddr_un*>(name.bytes);
  const Control& control = segment().control;
  to->sun_family = AF_UNIX;
  const int count = snprintf(to->sun_path + 1, sizeof to->sun_path - 1, "mazurka.%d.%u.%u",
                             control.server_pid, control.execution, index(description));
  name.length =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<size_t>(count));
  return name;
}

}  // namespace mazurka
