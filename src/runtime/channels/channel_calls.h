// The calls that read and write, for descriptors whose channels have a model. Each requires
// description_of(fd) != kNoObject; descriptor_calls.cc asks first.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include "runtime/core/runtime.h"

namespace mazurka {

ssize_t channel_read(int fd, void* bytes, size_t count, Call call);
ssize_t channel_write(int fd, const void* bytes, size_t count, Call call);
ssize_t channel_readv(int fd, const iovec* parts, int count, Call call);
ssize_t channel_writev(int fd, const iovec* parts, int count, Call call);

ssize_t channel_receive(int fd, void* bytes, size_t count, int flags, sockaddr* from,
                        socklen_t* length, Call call);
ssize_t channel_send(int fd, const void* bytes, size_t count, int flags, const sockaddr* to,
                     socklen_t length, Call call);
ssize_t channel_receive_message(int fd, msghdr* message, int flags, Call call);
ssize_t channel_send_message(int fd, const msghdr* message, int flags, Call call);
int channel_receive_messages(int fd, mmsghdr* messages, unsigned count, int flags,
                             const timespec* timeout, Call call);
int channel_send_messages(int fd, mmsghdr* messages, unsigned count, int flags, Call call);

}  // namespace mazurka
