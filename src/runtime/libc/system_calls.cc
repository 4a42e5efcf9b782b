// Functions that hand memory to the kernel or get it from there.
#include <errno.h>
#include <mqueue.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

#include "runtime/libc/seen_calls.h"

namespace mazurka {
namespace {

struct TwoFds {
  int fds[2];
};

// With MSG_TRUNC it may be more than there was room for.
size_t received(ssize_t result, size_t room) {
  const auto size = static_cast<size_t>(result);
  return size < room ? size : room;
}

void came_in_parts(const iovec* parts, int n, ssize_t result, const SeenAccesses& at) {
  size_t left = result > 0 ? static_cast<size_t>(result) : 0;
  for (int i = 0; i < n && left > 0; ++i) {
    const size_t here = parts[i].iov_len < left ? parts[i].iov_len : left;
    at.has_written(parts[i].iov_base, here);
    left -= here;
  }
}

void reads_parts(const iovec* parts, int n, const SeenAccesses& at) {
  if (n <= 0 || !is_place(parts)) return;
  at.reads(parts, sizeof *parts * static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) at.reads(parts[i].iov_base, parts[i].iov_len);
}

void reads_polled(const pollfd* list, nfds_t n, const SeenAccesses& at) {
  for (nfds_t i = 0; i < n; ++i) at.reads(list + i, offsetof(pollfd, revents));
}

void wrote_polled(pollfd* list, nfds_t n, const SeenAccesses& at) {
  for (nfds_t i = 0; i < n; ++i) at.has_written(&list[i].revents, sizeof list[i].revents);
}

size_t size_of_sets(int n) { return n > 0 ? (static_cast<size_t>(n) + 63) / 64 * 8 : 0; }

void reads_sets(int n, const fd_set* in, const fd_set* out, const fd_set* more,
                const SeenAccesses& at) {
  at.reads(in, size_of_sets(n));
  at.reads(out, size_of_sets(n));
  at.reads(more, size_of_sets(n));
}

void wrote_sets(int n, fd_set* in, fd_set* out, fd_set* more, const SeenAccesses& at) {
  at.has_written(in, size_of_sets(n));
  at.has_written(out, size_of_sets(n));
  at.has_written(more, size_of_sets(n));
}

#define MAZURKA_SEEN MAZURKA_SEEN_FUNCTION
#define MAZURKA_SEEN_VOID MAZURKA_SEEN_VOID_FUNCTION
#include "runtime/libc/system_rows.inc"
#undef MAZURKA_SEEN
#undef MAZURKA_SEEN_VOID

#define MAZURKA_SEEN(type, name, parameters, arguments, before, after) \
  MAZURKA_SEEN_ENTRY(name, name)
#define MAZURKA_SEEN_VOID(name, parameters, arguments, before, after) MAZURKA_SEEN_ENTRY(name, name)
const SeenCall kSystemCalls[] = {
#include "runtime/libc/system_rows.inc"
};

}  // namespace

SeenCalls seen_system_calls() { return {kSystemCalls, sizeof kSystemCalls / sizeof *kSystemCalls}; }

}  // namespace mazurka
