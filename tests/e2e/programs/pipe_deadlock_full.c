// expect: verdict=error findings=deadlock
// Both sides write more than fits before they read: two records of half a page and more do not
// share a page.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kRecord = 2100, kRecords = 2 };
static char record[kRecord];

static void talk(int in, int out) {
  for (int i = 0; i < kRecords; ++i) write(out, record, kRecord);  // mazurka: deadlock
  for (int i = 0; i < kRecords; ++i) read(in, record, kRecord);
}

int main(void) {
  int there[2], back[2];
  if (pipe(there) != 0 || pipe(back) != 0) return 1;
  fcntl(there[0], F_SETPIPE_SZ, 4096);
  fcntl(back[0], F_SETPIPE_SZ, 4096);
  if (fork() == 0) {
    talk(there[0], back[1]);
    _exit(0);
  }
  talk(back[0], there[1]);
  wait(NULL);
}
