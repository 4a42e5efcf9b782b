// expect: executions=2 transitions=8 verdict=ok
// How much a read finds depends on who was first.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* unused) {
  assert(write(ends[1], "ab", 2) == 2);
  assert(write(ends[1], "cd", 2) == 2);
  return unused;
}

int main(void) {
  pthread_t thread;
  char bytes[8];
  assert(pipe(ends) == 0 && pthread_create(&thread, NULL, writer, NULL) == 0);
  ssize_t got = read(ends[0], bytes, sizeof bytes);
  assert(got == 2 || got == 4);
  if (got == 2) assert(read(ends[0], bytes, sizeof bytes) == 2);
  pthread_join(thread, NULL);
}
