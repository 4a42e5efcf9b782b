// expect: executions=2 transitions=65 verdict=ok
// A read that must not wait finds nothing, or what was written.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* unused) {
  assert(write(ends[1], "a", 1) == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  char byte;
  assert(pipe2(ends, O_NONBLOCK) == 0);
  char page[4096] = {0};
  int pages = 0;
  while (write(ends[1], page, sizeof page) == (ssize_t)sizeof page) ++pages;
  assert(errno == EAGAIN && pages == 16);
  for (; pages > 0; --pages) assert(read(ends[0], page, sizeof page) == (ssize_t)sizeof page);
  // A record that does not fit into the rest of a page begins another one.
  enum { kRecord = 2100, kRecords = 16 };
  int records = 0;
  while (write(ends[1], page, kRecord) == kRecord) ++records;
  assert(errno == EAGAIN && records == kRecords);
  for (int left = kRecord * kRecords; left > 0; left -= (int)read(ends[0], page, sizeof page)) {
  }
  assert(fcntl(ends[1], F_SETFL, 0) == 0 && (fcntl(ends[0], F_GETFL) & O_NONBLOCK) != 0);
  assert(pthread_create(&thread, NULL, writer, NULL) == 0);
  if (read(ends[0], &byte, 1) < 0) assert(errno == EAGAIN);
  pthread_join(thread, NULL);
}
