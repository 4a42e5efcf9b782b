// Reading a timerfd, for the calls that read descriptors.
#pragma once

#include <sys/types.h>

#include "runtime/core/runtime.h"

namespace mazurka {

bool is_timer(int fd);
// Requires is_timer(fd).
ssize_t read_timer(int fd, void* bytes, size_t count, Call call);

}  // namespace mazurka
