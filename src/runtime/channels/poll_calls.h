// Waiting for descriptors that have a model; epoll_calls.cc does so, too.
#pragma once

#include <poll.h>
#include <signal.h>
#include <time.h>

#include "runtime/core/blocking.h"

namespace mazurka {

inline int64_t timeout_of(int milliseconds) {
  return milliseconds < 0 ? kForever : milliseconds * int64_t{1'000'000};
}
inline int64_t timeout_of(const timespec* time) {
  return time == nullptr ? kForever : time->tv_sec * 1'000'000'000 + time->tv_nsec;
}

// An operation: ppoll(2) on descriptors that have a model, and files. Returns how many are ready.
// `mask`: nullptr for the thread's own. `known`: by descriptor, for those that are told of changes
// only (with_edges); nullptr if there are none.
int poll_models(pollfd* fds, nfds_t count, int64_t timeout_ns, const sigset_t* mask, Call call,
                const OpPart* known = nullptr);

}  // namespace mazurka
