// ioctl: what it does to descriptors that have a model, and the name of what nobody knows.
#include <linux/fs.h>
#include <stdarg.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <climits>
#include <cstdio>

#include "runtime/channels/descriptors.h"
#include "runtime/core/failure.h"
#include "runtime/files/files.h"
#include "runtime/syscalls/commands_of_calls.h"
#include "runtime/syscalls/watched_calls.h"

namespace mazurka {
namespace {

const Description& at(ObjectId id) { return world().object(id).description; }

// How many bytes could be read now, which others may change.
int count_bytes(ObjectId description, Call call) {
  const Operation op{.kind = OpKind::ChannelRead,
                     .flags = kPeek | kTry,
                     .object = at(description).reads,
                     .second = description,
                     .value = INT32_MAX};
  const Effect effect = reach(op, call);
  return effect.error == 0 ? static_cast<int>(effect.value) : 0;
}

bool leads_to_file(int fd) { return file_description_of(fd) != kNoObject; }

// Before the kernel does it.
void tell_model(int fd, unsigned long request, const void* argument, Call call) {
  switch (request) {
    case FIOCLEX:
    case FIONCLEX:
      return set_closes_on_exec(fd, request == FIOCLEX);
    case FIONBIO:
      if (argument != nullptr) set_nonblocking(fd, *static_cast<const int*>(argument) != 0, call);
      return;
    case FIONREAD:  // the size of a file is what others make it
      if (leads_to_file(fd)) name_unmodelled("ioctl FIONREAD on a file", call);
      return;
    case FICLONE:
      return note_change_of_file(fd, call);
    default:
      return;
  }
}

int control_device(int fd, unsigned long request, void* argument, Call call) {
  const ObjectId description = description_of(fd);
  if (description != kNoObject && request == FIONREAD && at(description).reads != kNoObject) {
    if (argument == nullptr) return fail(EFAULT);
    *static_cast<int*>(argument) = count_bytes(description, call);
    return 0;
  }
  tell_model(fd, request, argument, call);
  const int result = REAL(ioctl)(fd, request, argument);
  const bool is_refused = result == -1 && (errno == ENOTTY || errno == EBADF);
  if (is_refused || is_harmless_ioctl(request)) return result;
  const int kept_errno = errno;
  char text[64];
  snprintf(text, sizeof text, "ioctl with the command 0x%lx", request);
  name_unmodelled(text, call);
  errno = kept_errno;
  return result;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  return attached() ? control_device(fd, request, argument, MAZURKA_HERE)
                    : REAL(ioctl)(fd, request, argument);
}
