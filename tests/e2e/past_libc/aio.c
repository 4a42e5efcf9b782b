// libc's threads for aio are not ours to schedule, so it is done at once, and named. PIPE: refused,
// where it may wait.
// check: verdict=incomplete says=done_where_it_is_submitted
// check PIPE: verdict=incomplete says=(refused)
// check BUG: verdict=error findings=exit
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char bytes[8] = "";
  int ends[2];
  struct aiocb request = {.aio_buf = bytes, .aio_nbytes = 4};
#ifdef PIPE
  if (pipe(ends) != 0) return 2;
  request.aio_fildes = ends[0];
  return aio_read(&request) == -1 && errno == EAGAIN ? 0 : 1;
#endif
  (void)ends;
  request.aio_fildes = open("/proc/self/exe", O_RDONLY);
  struct aiocb* const list[] = {&request};
  request.aio_lio_opcode = LIO_READ;
  if (lio_listio(LIO_NOWAIT, list, 1, 0) != 0) return 3;
  while (aio_error(&request) == EINPROGRESS) aio_suspend((const struct aiocb* const*)list, 1, 0);
#ifdef BUG
  return aio_return(&request) == 4 ? 4 : 0;
#endif
  return aio_return(&request) == 4 && memcmp(bytes, "\177ELF", 4) == 0 ? 0 : 1;
}
