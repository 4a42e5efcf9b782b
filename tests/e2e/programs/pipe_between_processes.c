// expect: verdict=ok
// A process that reads from an empty pipe, or writes to a full one, waits for the other.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kLong = 200000 };

int main(void) {
  int there[2], back[2];
  assert(pipe(there) == 0 && pipe(back) == 0);
  pid_t child = fork();
  char* bytes = calloc(kLong, 1);
  if (child == 0) {
    close(there[1]);
    size_t count = 0;
    ssize_t part;
    while ((part = read(there[0], bytes, kLong)) > 0) count += (size_t)part;
    assert(part == 0 && count == kLong);
    assert(write(back[1], "ok", 2) == 2);
    _exit(0);
  }
  close(there[0]);
  memset(bytes, 'x', kLong);
  assert(write(there[1], bytes, kLong) == kLong);
  close(there[1]);
  assert(read(back[0], bytes, kLong) == 2 && memcmp(bytes, "ok", 2) == 0);
  int status;
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
