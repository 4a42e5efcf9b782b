// POSIX asynchronous input and output. libc does it in threads of its own, which nobody schedules:
// here a transfer happens where it is submitted, as one operation. That is one of the orders that
// may be, so it is named. What might have to wait is refused with EAGAIN, as a system may that is
// short of resources.
#include <aio.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>

#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"

namespace mazurka {
namespace {

bool is_regular_file(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

bool can_tell_end(const sigevent* event) {
  return event == nullptr || event->sigev_notify == SIGEV_NONE ||
         event->sigev_notify == SIGEV_SIGNAL;
}

void tell_end(const sigevent* event) {
  if (event != nullptr && event->sigev_notify == SIGEV_SIGNAL)
    sigqueue(getpid(), event->sigev_signo, event->sigev_value);
}

int refuse(Call call) {
  name_unmodelled("aio on what is not a file, or that tells its end by a thread (refused)", call);
  return fail(EAGAIN);
}

void transfer(aiocb& request, int opcode) {
  errno = 0;
  void* const buffer = const_cast<void*>(request.aio_buf);
  request.__return_value =
      opcode == LIO_READ
          ? pread(request.aio_fildes, buffer, request.aio_nbytes, request.aio_offset)
          : pwrite(request.aio_fildes, buffer, request.aio_nbytes, request.aio_offset);
  request.__error_code = request.__return_value < 0 ? errno : 0;
}

int submit(aiocb& request, int opcode, Call call) {
  if (request.aio_reqprio < 0) return fail(EINVAL);
  if (!is_regular_file(request.aio_fildes) || !can_tell_end(&request.aio_sigevent))
    return refuse(call);
  name_unmodelled("aio (done where it is submitted)", call);
  transfer(request, opcode);
  tell_end(&request.aio_sigevent);
  return 0;
}

int submit_list(int mode, aiocb* const* list, int count, const sigevent* event, Call call) {
  if (mode != LIO_WAIT && mode != LIO_NOWAIT) return fail(EINVAL);
  if (mode == LIO_NOWAIT && !can_tell_end(event)) return refuse(call);
  bool has_failed = false;
  for (int i = 0; i < count; ++i) {
    if (list[i] == nullptr || list[i]->aio_lio_opcode == LIO_NOP) continue;
    has_failed |= submit(*list[i], list[i]->aio_lio_opcode, call) != 0;
    if (mode == LIO_WAIT) has_failed |= list[i]->__error_code != 0;
  }
  if (mode == LIO_NOWAIT) tell_end(event);
  return has_failed ? fail(EIO) : 0;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

MAZURKA_EXPORT int aio_read(aiocb* request) noexcept {
  if (!attached()) return REAL(aio_read)(request);
  return submit(*request, LIO_READ, MAZURKA_HERE);
}

MAZURKA_EXPORT int aio_write(aiocb* request) noexcept {
  if (!attached()) return REAL(aio_write)(request);
  return submit(*request, LIO_WRITE, MAZURKA_HERE);
}

MAZURKA_EXPORT int lio_listio(int mode, aiocb* const* __restrict list, int count,
                              sigevent* __restrict event) noexcept {
  if (!attached()) return REAL(lio_listio)(mode, list, count, event);
  return submit_list(mode, list, count, event, MAZURKA_HERE);
}

MAZURKA_EXPORT int aio_fsync(int operation, aiocb* request) noexcept {
  if (!attached()) return REAL(aio_fsync)(operation, request);
  if (operation != O_SYNC && operation != O_DSYNC) return fail(EINVAL);
  if (!is_regular_file(request->aio_fildes) || !can_tell_end(&request->aio_sigevent))
    return refuse(MAZURKA_HERE);
  name_unmodelled("aio (done where it is submitted)", MAZURKA_HERE);
  request->__return_value = 0;
  request->__error_code = 0;
  tell_end(&request->aio_sigevent);
  return 0;
}

MAZURKA_EXPORT int aio_error(const aiocb* request) noexcept {
  if (!attached()) return REAL(aio_error)(request);
  return request->__error_code;
}

MAZURKA_EXPORT ssize_t aio_return(aiocb* request) noexcept {
  if (!attached()) return REAL(aio_return)(request);
  return request->__return_value;
}

MAZURKA_EXPORT int aio_suspend(const aiocb* const list[], int count, const timespec* timeout) {
  if (!attached()) return REAL(aio_suspend)(list, count, timeout);
  return 0;
}

MAZURKA_EXPORT int aio_cancel(int fd, aiocb* request) noexcept {
  if (!attached()) return REAL(aio_cancel)(fd, request);
  return fcntl(fd, F_GETFD) < 0 ? fail(EBADF) : AIO_ALLDONE;
}

// With _FILE_OFFSET_BITS=64; the structure is the same.
__asm__(R"(
.irp name, aio_read, aio_write, aio_fsync, aio_error, aio_return, aio_suspend, aio_cancel, lio_listio
.globl \name\()64
.set \name\()64, \name
.endr
)");
