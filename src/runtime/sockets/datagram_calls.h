// Sending and receiving datagrams by address: UDP, and sockets of the UNIX domain that are no pair.
#pragma once

#include <sys/socket.h>

#include "runtime/core/runtime.h"

namespace mazurka {

// Whether the descriptor leads to such a socket with a model.
bool is_for_datagrams(int fd);

// As sendmsg and recvmsg. Require is_for_datagrams(fd).
ssize_t send_datagram(int fd, const msghdr* message, int flags, Call call);
ssize_t receive_datagram(int fd, msghdr* message, int flags, Call call);

}  // namespace mazurka
