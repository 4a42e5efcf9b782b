// expect: verdict=ok
// A symbolic link is turned while another process goes over it: it comes to one end or to the
// other.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void put(const char* path, const char* text) {
  const int file = open(path, O_CREAT | O_WRONLY, 0600);
  assert(file >= 0 && write(file, text, 1) == 1 && close(file) == 0);
}

int main(void) {
  assert(mkdir("one", 0700) == 0 && mkdir("two", 0700) == 0 && symlink("one", "current") == 0);
  put("one/file", "1");
  put("two/file", "2");
  if (fork() == 0) {
    assert(symlink("two", "next") == 0 && rename("next", "current") == 0);
    _exit(0);
  }
  char text = 0;
  int file = open("current/file", O_RDONLY);
  assert(file >= 0 && read(file, &text, 1) == 1 && (text == '1' || text == '2'));
  assert(wait(NULL) > 0);
  file = open("current/file", O_RDONLY);
  assert(file >= 0 && read(file, &text, 1) == 1 && text == '2');
}
