// Functions with names of files, programs and hosts; and others that only read what they are given,
// or leave a little there.
#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include <cstring>

#include "runtime/libc/seen_calls.h"

namespace mazurka {
namespace {

// Up to the null pointer, with what each leads to.
void reads_words(char* const* words, const SeenAccesses& at) {
  if (!is_place(words)) return;
  size_t count = 0;
  for (; words[count] != nullptr; ++count) at.text(words[count]);
  at.reads(words, (count + 1) * sizeof *words);
}

template <typename T>
T* pointer_of(long argument) {
  return reinterpret_cast<T*>(argument);  // NOLINT(performance-no-int-to-ptr): the kernel's way
}

void reads_lock(int command, long argument, const SeenAccesses& at) {
  switch (command) {
    case F_SETLK:
    case F_SETLKW:
    case F_GETLK:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
    case F_OFD_GETLK:
      return at.reads(pointer_of<struct flock>(argument), sizeof(struct flock));
    default:
      return;
  }
}

void wrote_lock(int command, long argument, const SeenAccesses& at) {
  if (command == F_GETLK || command == F_OFD_GETLK)
    at.has_written(pointer_of<struct flock>(argument), sizeof(struct flock));
}

void transfers_all(aiocb* const* list, int n, const SeenAccesses& at) {
  for (int i = 0; i < n; ++i) {
    const aiocb* const block = list[i];
    if (block == nullptr) continue;
    at.reads(block, sizeof *block);
    if (block->aio_lio_opcode == LIO_READ) at.writes(block->aio_buf, block->aio_nbytes);
    if (block->aio_lio_opcode == LIO_WRITE) at.reads(block->aio_buf, block->aio_nbytes);
  }
}

#define MAZURKA_SEEN MAZURKA_SEEN_FUNCTION
#include "runtime/libc/path_rows.inc"
#undef MAZURKA_SEEN

#define MAZURKA_SEEN(type, name, parameters, arguments, before, after) \
  MAZURKA_SEEN_ENTRY(name, name)
const SeenCall kPathCalls[] = {
#include "runtime/libc/path_rows.inc"
};

}  // namespace

SeenCalls seen_path_calls() { return {kPathCalls, sizeof kPathCalls / sizeof *kPathCalls}; }

}  // namespace mazurka
