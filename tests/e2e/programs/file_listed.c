// expect: executions=1250 transitions=4380 verdict=ok
// Makers of different names commute; who lists the directory sees none, one or both.
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void make(const char* path) {
  const int file = open(path, O_CREAT | O_WRONLY, 0600);
  assert(file >= 0);
  _exit(0);
}

int main(void) {
  assert(mkdir("spool", 0700) == 0);
  if (fork() == 0) make("spool/a");
  if (fork() == 0) make("spool/b");
  DIR* const directory = opendir("spool");
  assert(directory != NULL);
  const struct dirent* entry;
  int count = 0;
  while ((entry = readdir(directory)) != NULL) count += entry->d_name[0] != '.';
  assert(count <= 2);
  assert(wait(NULL) > 0 && wait(NULL) > 0);
  assert(unlink("spool/a") == 0 && unlink("spool/b") == 0 && rmdir("spool") == 0);
}
