// expect: verdict=ok
// 64 KB through a pipe of 4 KB: the writer waits, again and again.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { kLong = 65536 };
static int ends[2];
static char sent[kLong], got[kLong];

static void* writer(void* unused) {
  assert(write(ends[1], sent, kLong) == kLong);
  close(ends[1]);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pipe(ends) == 0);
  assert(fcntl(ends[0], F_GETPIPE_SZ) == 65536 && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
  for (int i = 0; i < kLong; ++i) sent[i] = (char)(i * 7 + i / 251);
  assert(pthread_create(&thread, NULL, writer, NULL) == 0);
  size_t count = 0;
  for (;;) {
    ssize_t part = read(ends[0], got + count, 16384);
    assert(part >= 0 && part <= 4096);
    if (part == 0) break;
    count += (size_t)part;
  }
  assert(count == kLong && memcmp(sent, got, kLong) == 0);
  pthread_join(thread, NULL);
}
