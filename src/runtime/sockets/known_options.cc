#include "runtime/sockets/known_options.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cstring>

namespace mazurka {
namespace {

bool is_known_of_socket(int name) {
  switch (name) {
    case SO_REUSEADDR:  // modelled
    case SO_REUSEPORT:  // these four are named by themselves
    case SO_LINGER:
    case SO_RCVTIMEO:
    case SO_SNDTIMEO:
    case SO_SNDBUF:  // as long as it is not small
    case SO_RCVBUF:
    case SO_SNDBUFFORCE:
    case SO_RCVBUFFORCE:
    case SO_KEEPALIVE:  // nobody of this machine is out of reach
    case SO_BROADCAST:
    case SO_OOBINLINE:  // out-of-band data is named
    case SO_DONTROUTE:  // ways and speed
    case SO_PRIORITY:
    case SO_MARK:
    case SO_BUSY_POLL:
    case SO_INCOMING_CPU:
    case SO_NO_CHECK:
    case SO_DEBUG:
    case SO_MAX_PACING_RATE:
      return true;
    default:  // SO_RCVLOWAT, SO_PASSCRED, SO_TIMESTAMP, SO_ATTACH_FILTER, SO_ZEROCOPY
      return false;
  }
}

bool is_known_of_tcp(int name) {
  switch (name) {
    case TCP_NODELAY:  // when bytes travel: they are there at once
    case TCP_CORK:
    case TCP_QUICKACK:
    case TCP_MAXSEG:
    case TCP_CONGESTION:
    case TCP_WINDOW_CLAMP:
    case TCP_KEEPIDLE:  // for those who are out of reach
    case TCP_KEEPINTVL:
    case TCP_KEEPCNT:
    case TCP_SYNCNT:
    case TCP_USER_TIMEOUT:
    case TCP_LINGER2:
      return true;
    default:  // TCP_DEFER_ACCEPT, TCP_FASTOPEN, TCP_NOTSENT_LOWAT, TCP_ULP
      return false;
  }
}

bool is_known_of_ip(int name) {
  switch (name) {
    case IP_TOS:
    case IP_TTL:
    case IP_MTU_DISCOVER:
    case IP_FREEBIND:
    case IP_BIND_ADDRESS_NO_PORT:
    case IP_MULTICAST_TTL:  // who joins a group is named
    case IP_MULTICAST_LOOP:
    case IP_MULTICAST_IF:
      return true;
    default:  // IP_PKTINFO, IP_RECVERR, IP_ADD_MEMBERSHIP
      return false;
  }
}

bool is_known_of_ip6(int name) {
  switch (name) {
    case IPV6_V6ONLY:  // modelled
    case IPV6_TCLASS:
    case IPV6_UNICAST_HOPS:
    case IPV6_MULTICAST_HOPS:
    case IPV6_MULTICAST_LOOP:
    case IPV6_MULTICAST_IF:
    case IPV6_MTU_DISCOVER:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_known_option(int level, int name) {
  switch (level) {
    case SOL_SOCKET:
      return is_known_of_socket(name);
    case IPPROTO_TCP:
      return is_known_of_tcp(name);
    case IPPROTO_IP:
      return is_known_of_ip(name);
    case IPPROTO_IPV6:
      return is_known_of_ip6(name);
    default:
      return false;
  }
}

bool is_small_buffer(int level, int name, const void* value, socklen_t length) {
  constexpr int kRoom = 32768;  // the kernel doubles it
  int bytes = 0;
  if (level != SOL_SOCKET || value == nullptr || length < sizeof bytes) return false;
  memcpy(&bytes, value, sizeof bytes);
  const bool is_buffer =
      name == SO_SNDBUF || name == SO_RCVBUF || name == SO_SNDBUFFORCE || name == SO_RCVBUFFORCE;
  return is_buffer && bytes < kRoom;
}

}  // namespace mazurka
