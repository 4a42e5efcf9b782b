// expect: executions=1 verdict=incomplete
// A list of a directory does not show its FIFOs, and says so.
#include <assert.h>
#include <dirent.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  assert(mkfifo("address_listed.fifo", 0600) == 0);
  DIR* const here = opendir(".");
  while (readdir(here) != NULL) {
  }
  assert(closedir(here) == 0 && unlink("address_listed.fifo") == 0);
}
